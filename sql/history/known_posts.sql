-- grain: a post that a LinkedIn post of the workspace is linked to
-- key: workspace, post_id
-- reads: posts, linkedin_posts, review_readings
-- parameters: $workspace
with published as (
  select
    post_id,
    max(published_at) as published_at,
    list(distinct profile_id order by profile_id) as profile_ids
  from (
    -- the profile to which a post belongs may be read no more
    select workspace, post_id, published_at, unnest([profile_id, last_profile_id]) as profile_id
    from linkedin_posts
  )
  where workspace = $workspace and post_id is not null
  group by post_id
),
reviews as (
  select
    post_id,
    max(fetched_at) filter (where source = 'approvals') as approvals_fetched_at,
    max(fetched_at) filter (where source = 'comments') as comments_fetched_at
  from review_readings
  where workspace = $workspace
  group by post_id
)
select
  posts.post_id,
  published.profile_ids,
  epoch_ms(published.published_at) as published_at_ms,
  epoch_ms(posts.detail_fetched_at) as post_fetched_at_ms,
  epoch_ms(reviews.approvals_fetched_at) as approvals_fetched_at_ms,
  epoch_ms(reviews.comments_fetched_at) as comments_fetched_at_ms,
  posts.has_changed,
  posts.removed_at is not null as is_removed
from posts
join published using (post_id)
left join reviews using (post_id)
where posts.workspace = $workspace
order by posts.post_id;
