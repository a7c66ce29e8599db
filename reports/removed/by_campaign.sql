-- grain: one name of a campaign with removed posts; (none) are the posts without one
-- key: campaign
-- reads: removed_sums
select
  campaign,
  removed_posts,
  posts_total,
  impressions,
  engagements,
  emv,
  effective_cpm,
  emv_share,
  trend
from removed_sums
where level = 'campaign'
order by campaign = '(none)', emv desc nulls last, removed_posts desc, campaign;
