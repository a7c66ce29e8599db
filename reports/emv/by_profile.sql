-- grain: one profile of one workspace
-- key: workspace, profile_id
-- reads: emv_groups
-- parameters: none
select
  name as profile,
  workspace,
  kind,
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
  profile_id,
  trend
from emv_groups
where dimension = 'profile'
order by emv desc nulls last, posts desc, profile, workspace, profile_id;
