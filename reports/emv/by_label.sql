-- grain: one name of a label; (none) are the posts without one. A post counts once under each of its names
-- key: label
-- reads: emv_groups
-- parameters: none
select
  name as label,
  posts,
  impressions,
  emv,
  effective_cpm,
  emv_share,
  emv_per_post,
  median_emv,
  previous_emv,
  emv_change,
  posts_with_emv,
  posts_with_impressions,
  median_impressions,
  previous_impressions,
  trend
from emv_groups
where dimension = 'label'
order by name = '(none)', emv desc nulls last, posts desc, name;
