-- grain: one row: all removed posts of the report, each once, the total of the tables
-- reads: removed_sums
select
  removed_posts,
  posts_total,
  impressions,
  engagements,
  emv,
  effective_cpm,
  emv_share,
  first_removed_at,
  last_removed_at
from removed_sums
where level = 'all';
