-- grain: one LinkedIn post of a campaign
-- key: workspace, linkedin_post_id
-- reads: campaign_posts, campaign_wholes
select
  columns(post_columns()),
  is_outside_dates,
  impression_count as impressions,
  engagements,
  engagement_rate,
  emv,
  effective_cpm,
  emv / shared_emv as campaign_share,
  views,
  watch_time_seconds,
  is_young,
  campaign_emv,
  interactions
from campaign_posts
join campaign_wholes using (campaign)
order by
  emv desc nulls last,
  impressions desc nulls last,
  interactions desc nulls last,
  published_at nulls last,
  workspace,
  linkedin_post_id;
