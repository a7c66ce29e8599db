-- grain: one LinkedIn post
-- key: workspace, linkedin_post_id
-- reads: report_read_posts, growth_posts
select
  columns(post_columns()),
  shown.impression_count as impressions,
  impressions_7_days,
  engagements_7_days,
  emv_7_days,
  impressions_day_1,
  impressions_day_7,
  impressions_day_30,
  first_age as first_read_age,
  readings,
  last_on as last_read_on
from report_read_posts as shown
join growth_posts using (workspace, linkedin_post_id)
order by
  impressions_7_days desc nulls last,
  impressions desc nulls last,
  published_at nulls last,
  workspace,
  linkedin_post_id;
