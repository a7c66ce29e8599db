-- grain: an event of the batch that is not in the table, or not with its outcome
-- key: event_key
-- reads: staged_events, webhook_events
-- parameters: $event_keys
with given as (
  select distinct unnest($event_keys::varchar[]) as event_key
)
select given.event_key, staged.outcome, known.outcome as kept_outcome
from given
left join staged_events as staged using (event_key)
left join webhook_events as known using (event_key)
where staged.event_key is null
  or known.event_key is null
  -- what was applied once stays applied
  or (known.outcome <> staged.outcome and known.outcome <> 'applied')
order by all;
