-- grain: one row: all posts of the report, each once; stands under the tables
-- key: none
-- reads: engagement_groups, report_settings
-- parameters: none
select
  coalesce(shown.posts, 0) as posts,
  shown.impressions,
  shown.engagements,
  shown.engagement_rate,
  shown.interactions,
  shown.likes,
  shown.comments,
  shown.shares,
  shown.clicks,
  shown.saves,
  shown.sends,
  shown.rate_p25,
  shown.rate_p50,
  shown.rate_p75,
  previous.engagement_rate as previous_rate,
  shown.engagement_rate - previous.engagement_rate as rate_change
from report_settings
left join engagement_groups as shown on shown.dimension = 'total' and not shown.is_previous
left join engagement_groups as previous on previous.dimension = 'total' and previous.is_previous;
