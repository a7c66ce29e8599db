-- grain: an event that belongs to another shard, because its slug is that of a workspace there
-- key: event_key
-- reads: webhook_events
-- parameters: $slugs (those of other shards' workspaces)
select event_key
from webhook_events
where list_contains($slugs, workspace_slug)
