-- grain: one name of a campaign; (none) are the posts without one
-- key: campaign
-- reads: emv_groups
-- parameters: none
select
  name as campaign,
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
where dimension = 'campaign'
order by name = '(none)', emv desc nulls last, posts desc, name;
