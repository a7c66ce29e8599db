-- grain: at most one row; none with fewer than 10 posts with a planned time
-- reads: workflow_groups
select
  '{on_time_share:share} of {planned_posts|# post|# posts} with a planned time went out within 5 minutes of it' as text,
  planned_posts,
  on_time_share
from workflow_groups
where dimension = 'all' and planned_posts >= 10;
