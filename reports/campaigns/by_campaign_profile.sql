-- grain: one profile's posts of one campaign
-- key: campaign, workspace, profile_id
-- reads: campaign_groups
--
-- The share is that of the campaign's EMV. It is null if the EMV is 0 or if a part of it is negative.
with parts as (
  select *, min(emv) over (partition by part_of) as smallest_emv
  from campaign_groups
  where dimension = 'campaign profile'
)
select
  wholes.name as campaign,
  parts.name as profile,
  parts.workspace,
  parts.posts,
  parts.impressions,
  parts.engagement_rate,
  parts.emv,
  case when smallest_emv >= 0 then parts.emv / nullif(wholes.emv, 0) end as campaign_share,
  parts.emv_per_post,
  parts.posts_with_emv,
  parts.profile_id,
  wholes.emv as campaign_emv
from parts
join campaign_groups as wholes on wholes.name = parts.part_of and wholes.dimension = 'campaign'
order by
  wholes.emv desc nulls last,
  wholes.posts desc,
  campaign,
  parts.emv desc nulls last,
  parts.posts desc,
  profile,
  parts.workspace,
  parts.profile_id;
