-- grain: a post that a LinkedIn post of the workspace is linked to
-- key: workspace, post_id
-- reads: posts, linkedin_posts, post_readings
-- parameters: $workspace
with published as (
  select post_id, max(published_at) as published_at
  from linkedin_posts
  where workspace = $workspace and post_id is not null
  group by post_id
),
-- The fingerprints that stand after the details were last asked for, and the one at that time. Of a post
-- whose first mention came only after that, nothing was known then.
mentions as (
  select
    post_readings.post_id,
    max_by(post_readings.fingerprint, post_readings.reading) as fingerprint_now,
    max_by(post_readings.fingerprint, post_readings.reading) filter (
      where post_readings.reading <= asked.reading
    ) as fingerprint_then
  from post_readings
  join (
    select post_id, max(reading) as reading
    from post_readings
    where workspace = $workspace and kind in ('found', 'missing')
    group by post_id
  ) as asked using (post_id)
  where post_readings.workspace = $workspace and post_readings.kind = 'mentioned'
  group by post_readings.post_id
)
select
  posts.post_id,
  epoch_ms(published.published_at) as published_at_ms,
  epoch_ms(posts.detail_fetched_at) as detail_fetched_at_ms,
  coalesce(mentions.fingerprint_now is distinct from mentions.fingerprint_then, false) as has_changed,
  posts.removed_at is not null as is_removed
from posts
join published using (post_id)
left join mentions using (post_id)
where posts.workspace = $workspace
order by posts.post_id;
