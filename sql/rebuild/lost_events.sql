-- grain: all events that the published warehouse has and the rebuilt one has not, or has not applied where they were
-- key: none
-- reads: published.webhook_events, rebuilt.webhook_events
-- parameters: none
with known as (
  from published.webhook_events
  -- the first version did not note it
  union all by name
  select null::varchar as workspace
  where false
)
select
  count(*) filter (where made.event_key is null) as events,
  count(*) filter (where made.event_key is not null) as moved
from known
left join rebuilt.webhook_events as made using (event_key)
where made.event_key is null
  or (
    known.outcome = 'applied'
    and known.workspace is not null
    and (made.outcome <> 'applied' or made.workspace is distinct from known.workspace)
  )
order by all;
