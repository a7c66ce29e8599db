-- grain: a slug that deletions have which are kept although their posts are known in workspaces of jobs.yaml
-- key: workspace_slug
-- reads: webhook_events, readings, post_details
-- parameters: $workspaces
with kept as (
  select workspace_slug, post.post_id as post_id
  from webhook_events
  where type = 'post.permanently_deleted'
    and outcome = 'kept'
    and workspace is null
    and reason <> 'discarded by hand'
),
known as (
  select post_id
  from readings
  where post_id in (select post_id from kept)
    and workspace in (select unnest($workspaces::varchar[]))
  union
  select post_id
  from post_details
  where post_id in (select post_id from kept)
    and workspace in (select unnest($workspaces::varchar[]))
)
select workspace_slug, count(*) as deletions
from kept
semi join known using (post_id)
group by workspace_slug
order by workspace_slug;
