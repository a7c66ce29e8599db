-- grain: one row; true if the slug of an event now belongs to another workspace than when the event was loaded
-- reads: webhook_events
-- parameters: $slugs (a JSON object: the workspace's key by its slug)
--
-- An event with a slug of no workspace may belong to the one in which its post is known.
select count(*) > 0 as is_any
from (
  select workspace, $slugs::json ->> ('/' || replace(replace(workspace_slug, '~', '~0'), '/', '~1')) as slug_workspace
  from webhook_events
)
where workspace is distinct from slug_workspace
  and (
    slug_workspace is not null
    or workspace not in (select unnest(json_extract_string($slugs::json, '$.*')))
  )
