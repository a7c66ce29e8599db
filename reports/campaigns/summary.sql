-- grain: one row: all posts of campaigns
-- reads: campaign_list, campaign_totals, report_posts, report_removed
with shown as (
  select *
  from campaign_totals
  where is_current
),
-- null where the earlier period was not read of every profile; without posts it has 0
previous as (
  select totals.*
  from (select false as is_current) as wanted
  left join campaign_totals as totals using (is_current)
),
whole as (
  select count(*) as posts, exact_sum(emv) as emv
  from report_posts
),
missed as (
  select count(*) filter (where posts = 0) as campaigns
  from campaign_list
),
removed as (
  select count(*) as removed_posts, exact_sum(emv) as removed_emv
  from report_removed
  where campaign is not null
)
select
  shown.campaigns,
  missed.campaigns as campaigns_without_posts,
  shown.posts,
  shown.impressions,
  shown.engagements,
  shown.engagement_rate,
  shown.emv,
  shown.emv / nullif(whole.emv, 0) as emv_share,
  shown.emv_per_post,
  shown.effective_cpm,
  shown.videos,
  shown.views,
  shown.watch_time_seconds,
  shown.posts_outside_dates,
  whole.posts - shown.posts as posts_without_campaign,
  shown.posts_with_emv,
  whole.emv as all_emv,
  removed_posts,
  removed_emv,
  previous.campaigns as previous_campaigns,
  previous.posts as previous_posts,
  previous.impressions as previous_impressions,
  previous.engagement_rate as previous_engagement_rate,
  previous.emv as previous_emv,
  previous.views as previous_views,
  (select change from like_for_like_of('campaign_sums', 'all') where figure = 'emv') as emv_change_like_for_like
from shown
cross join previous
cross join whole
cross join missed
cross join removed;
