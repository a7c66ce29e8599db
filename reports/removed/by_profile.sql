-- grain: one profile of one workspace with removed posts
-- key: workspace, profile_id
-- reads: removed_sums
select
  coalesce(profile, profile_id) as profile,
  workspace,
  removed_posts,
  posts_total,
  impressions,
  engagements,
  emv,
  effective_cpm,
  emv_share,
  profile_id,
  trend
from removed_sums
where level = 'profile'
order by emv desc nulls last, removed_posts desc, profile, workspace, profile_id;
