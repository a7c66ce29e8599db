-- grain: one name of a campaign; (none) are the posts without one
-- key: campaign
-- reads: engagement_groups
-- parameters: none
with campaigns as (
  select name as campaign, *
  from engagement_groups
  where dimension = 'campaign' and not is_previous
),
previous as (
  select name as campaign, engagement_rate as previous_rate
  from engagement_groups
  where dimension = 'campaign' and is_previous
)
select
  campaign,
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
  rate_p75,
  previous_rate,
  engagement_rate - previous_rate as rate_change
from campaigns
left join previous using (campaign)
order by campaign = '(none)', engagement_rate desc nulls last, posts desc, campaign;
