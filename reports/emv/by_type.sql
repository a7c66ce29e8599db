-- grain: one type, as the API names it
-- key: type
-- reads: emv_groups
-- parameters: none
select
  name as type,
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
where dimension = 'type'
order by emv desc nulls last, posts desc, name;
