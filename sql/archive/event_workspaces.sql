-- grain: an event of those given whose slug stood for a workspace when it was applied, or for none until now (null)
-- key: event_key
-- reads: webhook_events
-- parameters: $keys
select
  event_key,
  workspace_slug as slug,
  case when outcome = 'applied' then workspace end as workspace
from webhook_events
semi join (select unnest($keys) as event_key) as given using (event_key)
where workspace_slug is not null
  and (outcome = 'applied') = (workspace is not null)
  and outcome <> 'rejected'
order by event_key;
