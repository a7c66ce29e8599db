-- grain: one row: all posts of campaigns
-- reads: campaign_list, report_posts
with whole as (
  select count(*) as posts, exact_sum(emv) as emv
  from report_posts
)
select
  campaigns,
  (select count(*) filter (where posts = 0) from campaign_list) as campaigns_without_posts,
  shown.posts,
  impressions,
  engagements,
  engagement_rate,
  shown.emv,
  shown.emv / nullif(whole.emv, 0) as emv_share,
  emv_per_post,
  effective_cpm,
  videos,
  views,
  watch_time_seconds,
  posts_outside_dates,
  whole.posts - shown.posts as posts_without_campaign,
  posts_with_emv,
  whole.emv as all_emv,
  removed_posts,
  removed_emv,
  previous_campaigns,
  previous_posts,
  previous_impressions,
  previous_engagement_rate,
  previous_emv,
  previous_views,
  emv_change_like_for_like
from summary_of('campaign_sums', 'campaign posts') as shown
cross join whole;
