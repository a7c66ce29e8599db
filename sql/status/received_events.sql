-- grain: an event that was loaded, the newest first
-- key: event_key
-- reads: webhook_events
-- parameters: $key (its beginning), $types (empty for all), $outcomes (empty for all), $workspaces (keys and slugs, empty for all), $since, $until (both inclusive, null for no bound), $limit
select
  event_key,
  type,
  created_at,
  received_at,
  workspace_id,
  workspace_slug,
  workspace,
  outcome,
  reason,
  payload
from webhook_events
where starts_with(event_key, $key)
  and (len($types) = 0 or list_contains($types, type))
  and (len($outcomes) = 0 or list_contains($outcomes, outcome))
  and (
    len($workspaces) = 0
    or list_contains($workspaces, workspace)
    or list_contains($workspaces, workspace_slug)
  )
  and ($since::timestamptz is null or received_at >= $since::timestamptz)
  and ($until::timestamptz is null or received_at <= $until::timestamptz)
order by received_at desc, event_key
limit $limit;
