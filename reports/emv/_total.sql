-- grain: one row: all posts of the report, each once; stands under the tables
-- key: none
-- reads: emv_groups, emv_totals
-- parameters: none
select
  emv_groups.posts,
  emv_groups.posts_with_emv,
  emv_groups.impressions,
  emv_groups.emv,
  emv_groups.effective_cpm,
  emv_groups.emv_share,
  emv_groups.emv_per_post,
  emv_groups.median_emv,
  emv_groups.previous_emv,
  emv_groups.emv_change,
  emv_groups.posts_with_impressions,
  emv_groups.median_impressions,
  emv_groups.previous_impressions,
  emv_totals.young_emv,
  emv_totals.young_impressions,
  emv_groups.trend
from emv_groups
cross join emv_totals
where emv_groups.dimension = 'all' and emv_totals.is_current;
