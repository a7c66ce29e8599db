-- grain: one LinkedIn post of a campaign
-- key: workspace, linkedin_post_id
-- reads: campaign_groups, campaign_posts
select
  posts.workspace,
  posts.profile,
  posts.linkedin_post_id,
  posts.url,
  posts.title,
  posts.commentary,
  posts.type,
  posts.published_at,
  posts.campaign,
  posts.labels,
  posts.is_removed,
  posts.is_outside_dates,
  posts.impression_count as impressions,
  posts.engagements,
  posts.engagement_rate,
  posts.emv,
  posts.effective_cpm,
  case when posts.emv between 0 and wholes.emv then posts.emv / nullif(wholes.emv, 0) end as campaign_share,
  posts.views,
  posts.watch_time_seconds,
  posts.is_young,
  wholes.emv as campaign_emv,
  wholes.impressions as campaign_impressions
from campaign_posts as posts
join campaign_groups as wholes on wholes.name = posts.campaign and wholes.dimension = 'campaign'
order by
  posts.emv desc nulls last,
  posts.impression_count desc nulls last,
  posts.published_at nulls last,
  posts.workspace,
  posts.linkedin_post_id;
