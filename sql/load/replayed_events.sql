-- grain: an outcome of the replayed events
-- key: outcome
-- reads: forgotten_events, webhook_events
-- parameters: none
select
  known.outcome,
  count(*) as events,
  count(*) filter (where known.outcome <> forgotten.outcome) as changed
from forgotten_events as forgotten
join webhook_events as known using (event_key)
group by known.outcome
order by known.outcome;
