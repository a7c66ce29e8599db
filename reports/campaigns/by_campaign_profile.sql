-- grain: one profile's posts of one campaign
-- key: campaign, workspace, profile_id
-- reads: campaign_sums
-- parameters: none
--
-- A share is that of the campaign's EMV; none where it is 0 or where a part of it is negative.
with parts as (
  select *
  from campaign_sums
  where is_current and dimension = 'profile' and not is_monthly
),
wholes as (
  select campaign, posts, impressions, emv
  from campaign_sums
  where is_current and dimension = 'campaign' and not is_monthly
),
signs as (
  select campaign, min(emv) as least_emv
  from parts
  group by campaign
)
select
  parts.campaign,
  parts.profile,
  parts.workspace,
  parts.posts,
  parts.impressions,
  parts.engagement_rate,
  parts.emv,
  case when least_emv >= 0 then parts.emv / nullif(wholes.emv, 0) end as campaign_share,
  parts.emv_per_post,
  parts.posts_with_emv,
  parts.profile_id,
  parts.posts_with_impressions,
  wholes.emv as campaign_emv,
  wholes.impressions as campaign_impressions
from parts
join wholes using (campaign)
join signs using (campaign)
order by
  wholes.emv desc nulls last,
  wholes.posts desc,
  parts.campaign,
  parts.emv desc nulls last,
  parts.posts desc,
  parts.profile,
  parts.workspace,
  parts.profile_id;
