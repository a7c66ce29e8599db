-- grain: one LinkedIn post of a campaign
-- key: workspace, linkedin_post_id
-- reads: campaign_posts, campaign_sums
-- parameters: none
with wholes as (
  select campaign, impressions, emv
  from campaign_sums
  where is_current and dimension = 'campaign' and not is_monthly
)
select
  campaign_posts.workspace,
  campaign_posts.profile,
  campaign_posts.linkedin_post_id,
  campaign_posts.url,
  campaign_posts.title,
  campaign_posts.commentary,
  campaign_posts.type,
  campaign_posts.published_at,
  campaign_posts.campaign,
  campaign_posts.labels,
  campaign_posts.is_removed,
  campaign_posts.is_outside_dates,
  campaign_posts.impression_count as impressions,
  campaign_posts.engagements,
  finite(campaign_posts.engagements / nullif(campaign_posts.impression_count, 0)) as engagement_rate,
  campaign_posts.emv,
  campaign_posts.effective_cpm,
  case
    when campaign_posts.emv between 0 and wholes.emv then campaign_posts.emv / nullif(wholes.emv, 0)
  end as campaign_share,
  campaign_posts.views,
  campaign_posts.watch_time_seconds,
  campaign_posts.is_young,
  wholes.emv as campaign_emv,
  wholes.impressions as campaign_impressions
from campaign_posts
join wholes using (campaign)
where campaign_posts.is_current
order by
  campaign_posts.emv desc nulls last,
  campaign_posts.impression_count desc nulls last,
  campaign_posts.published_at nulls last,
  campaign_posts.workspace,
  campaign_posts.linkedin_post_id;
