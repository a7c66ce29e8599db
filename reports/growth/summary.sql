-- grain: one row: all posts of the report
-- reads: report_facts
select
  posts,
  posts_read,
  posts_read_again,
  posts_read_from_day_1,
  median_first_age,
  readings,
  days_read,
  days_not_read,
  first_read_on,
  last_read_on,
  impressions,
  impressions_added,
  engagements_added,
  emv,
  emv_added,
  views_added,
  removed_posts
from report_facts;
