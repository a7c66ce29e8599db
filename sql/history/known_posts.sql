-- grain: a post that a LinkedIn post of the workspace is linked to
-- key: workspace, post_id
-- reads: posts, linkedin_posts
-- parameters: $workspace
with published as (
  select post_id, max(published_at) as published_at
  from linkedin_posts
  where workspace = $workspace and post_id is not null
  group by post_id
)
select
  posts.post_id,
  epoch_ms(published.published_at) as published_at_ms,
  epoch_ms(posts.detail_fetched_at) as detail_fetched_at_ms,
  posts.has_changed,
  posts.removed_at is not null as is_removed
from posts
join published using (post_id)
where posts.workspace = $workspace
order by posts.post_id;
