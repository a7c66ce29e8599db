-- grain: one profile's posts of one campaign
-- key: campaign, workspace, profile_id
-- reads: campaign_groups, campaign_wholes
select
  wholes.campaign,
  parts.name as profile,
  parts.workspace,
  parts.posts,
  parts.impressions,
  parts.engagement_rate,
  parts.emv,
  parts.emv / wholes.shared_emv as campaign_share,
  parts.emv_per_post,
  parts.posts_with_emv,
  parts.profile_id,
  wholes.campaign_emv
from campaign_groups as parts
join campaign_wholes as wholes on wholes.campaign = parts.part_of
where parts.dimension = 'campaign profile'
order by
  wholes.campaign_emv desc nulls last,
  wholes.posts desc,
  wholes.campaign,
  parts.emv desc nulls last,
  parts.posts desc,
  profile,
  parts.workspace,
  parts.profile_id;
