-- grain: the post with the most EMV of one campaign
-- key: campaign
-- reads: campaign_groups, campaign_posts
with wholes as (
  select name as campaign, emv as campaign_emv
  from campaign_groups
  where dimension = 'campaign'
)
select
  campaign,
  workspace,
  profile,
  linkedin_post_id,
  url,
  title,
  commentary,
  type,
  published_at,
  is_removed,
  impression_count as impressions,
  engagement_rate,
  emv,
  case when emv between 0 and campaign_emv then emv / nullif(campaign_emv, 0) end as campaign_share
from campaign_posts
join wholes using (campaign)
where rank = 1 and emv is not null
order by emv desc, campaign;
