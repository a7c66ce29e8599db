-- grain: one LinkedIn post of a campaign
-- key: workspace, linkedin_post_id
-- reads: campaign_groups, campaign_posts
with wholes as (
  select name as campaign, emv as campaign_emv
  from campaign_groups
  where dimension = 'campaign'
)
select
  columns(post_columns()),
  is_outside_dates,
  impression_count as impressions,
  engagements,
  engagement_rate,
  emv,
  effective_cpm,
  case when emv between 0 and campaign_emv then emv / nullif(campaign_emv, 0) end as campaign_share,
  views,
  watch_time_seconds,
  is_young,
  campaign_emv,
  interactions
from campaign_posts
join wholes using (campaign)
order by
  emv desc nulls last,
  impressions desc nulls last,
  interactions desc nulls last,
  published_at nulls last,
  workspace,
  linkedin_post_id;
