-- grain: a profile with a reading or a post
-- key: workspace, profile_id
-- reads: extract_windows, linkedin_posts
-- parameters: $now
with readings as (
  select workspace, profile_id, max(fetched_at) as last_read_at
  from extract_windows
  -- one that proves nothing of its days has posts all the same
  where status <> 'failed'
    and fetched_at <= $now::timestamptz
  group by workspace, profile_id
),
posts as (
  select workspace, profile_id, count(*) as posts
  from linkedin_posts
  where superseded_by is null
  group by workspace, profile_id
)
select workspace, profile_id, last_read_at, coalesce(posts, 0) as posts
from readings
full join posts using (workspace, profile_id)
order by workspace, profile_id;
