-- grain: at most one row; none with fewer than 10 posts with a planned time
-- reads: report_facts
select
  '{on_time_share:share} of {planned_posts|# post|# posts} with a planned time went out within 5 minutes of it' as text,
  planned_posts,
  on_time_share
from report_facts
where planned_posts >= 10;
