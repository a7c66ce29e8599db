-- grain: one row: all posts of the report, each once, the total of the tables
-- reads: label_groups
select
  posts,
  posts_with_emv,
  rated_posts,
  impressions,
  engagements,
  engagement_rate,
  emv,
  effective_cpm,
  emv_share,
  emv_per_post,
  median_emv
from label_groups
where dimension = 'all';
