-- grain: one row; true if the slug of an event now belongs to another workspace than when the event was loaded
-- reads: webhook_events
-- parameters: $slugs (a JSON object: the workspace's key by its slug)
select count(*) > 0 as is_any
from webhook_events
where workspace is distinct from
  ($slugs::json ->> ('/' || replace(replace(workspace_slug, '~', '~0'), '/', '~1')))
