-- grain: a LinkedIn post of the load whose row is not that of its newest snapshot
-- key: workspace, linkedin_post_id
-- reads: linkedin_posts, linkedin_post_snapshots, touched_posts
-- parameters: none
with newest as (
  select workspace, linkedin_post_id, max(reading_id) as reading_id
  from linkedin_post_snapshots
  semi join touched_posts using (workspace, linkedin_post_id)
  group by workspace, linkedin_post_id
)
select workspace, linkedin_post_id
from linkedin_posts as known
semi join touched_posts using (workspace, linkedin_post_id)
anti join newest using (workspace, linkedin_post_id, reading_id);
