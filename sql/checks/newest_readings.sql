-- grain: a LinkedIn post whose own reading is not its newest snapshot's
-- key: workspace, linkedin_post_id
-- reads: linkedin_posts, linkedin_post_snapshots
-- parameters: none
select known.workspace, known.linkedin_post_id
from linkedin_posts as known
anti join linkedin_post_snapshots as newest
  on newest.workspace = known.workspace
  and newest.linkedin_post_id = known.linkedin_post_id
  and newest.reading = known.reading
  and newest.captured_at = known.last_seen_at
order by all;
