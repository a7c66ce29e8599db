-- grain: one name of a campaign; (none) are the posts without one
-- key: campaign
-- reads: engagement_groups
-- parameters: none
select
  name as campaign,
  posts,
  impressions,
  engagements,
  engagement_rate,
  interactions,
  likes,
  comments,
  shares,
  clicks,
  saves,
  sends,
  rate_p25,
  rate_p50,
  rate_p75
from engagement_groups
where dimension = 'campaign' and not is_previous
order by campaign = '(none)', engagement_rate desc nulls last, posts desc, campaign;
