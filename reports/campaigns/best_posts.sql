-- grain: the best post of one campaign, by EMV, or by what is known instead
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
  interactions,
  emv / shared_emv as campaign_share
from campaign_posts
join campaign_wholes using (campaign)
where rank = 1 and coalesce(emv, impression_count, interactions) is not null
order by emv desc nulls last, impression_count desc nulls last, interactions desc nulls last, campaign;
