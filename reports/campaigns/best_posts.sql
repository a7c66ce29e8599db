-- grain: the post with the most EMV of one campaign
-- key: campaign
-- reads: campaign_posts, campaign_wholes
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
  emv / shared_emv as campaign_share
from campaign_posts
join campaign_wholes using (campaign)
where rank = 1 and emv is not null
order by emv desc, campaign;
