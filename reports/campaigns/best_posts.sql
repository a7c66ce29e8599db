-- grain: the post with the most EMV of one campaign
-- key: campaign
-- reads: campaign_groups, campaign_posts
select
  posts.campaign,
  posts.workspace,
  posts.profile,
  posts.linkedin_post_id,
  posts.url,
  posts.title,
  posts.commentary,
  posts.type,
  posts.published_at,
  posts.is_removed,
  posts.impression_count as impressions,
  posts.engagement_rate,
  posts.emv,
  case when posts.emv between 0 and groups.emv then posts.emv / nullif(groups.emv, 0) end as campaign_share
from campaign_posts as posts
join campaign_groups as groups on groups.name = posts.campaign and groups.dimension = 'campaign'
where posts.rank = 1 and posts.emv is not null
order by posts.emv desc, posts.campaign;
