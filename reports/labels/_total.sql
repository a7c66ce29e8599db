-- grain: one row: all posts of the report, each once, the total of the tables
-- reads: label_groups
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
