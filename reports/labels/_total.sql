-- grain: one row: all posts of the report, each once; stands under the tables
-- key: none
-- reads: label_groups
-- parameters: none
select
  posts,
  posts_with_emv,
  posts_with_impressions,
  rated_posts,
  impressions,
  engagements,
  engagement_rate,
  emv,
  effective_cpm,
  emv_share,
  emv_per_post,
  median_emv,
  median_impressions
from label_groups
where dimension = 'all';
