-- grain: at most one row; none with fewer than 10 posts with a planned time
-- reads: workflow_groups
select
  '{on_time_share:share} of the posts were published within 5 minutes of their planned time' as text,
  on_time_share
from workflow_groups
where dimension = 'all' and planned_posts >= 10;
