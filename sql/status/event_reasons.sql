-- grain: a reason for which events were kept or rejected, the most frequent first
-- key: outcome, reason
-- reads: webhook_events
-- parameters: $limit
select
  outcome,
  reason,
  count(*) as events,
  max(received_at) as last_received_at
from webhook_events
where reason is not null
group by outcome, reason
order by events desc, outcome, reason
limit $limit;
