-- grain: one name of a campaign; (none) are the videos without one
-- key: campaign
-- reads: video_groups, video_posts, report_months
-- parameters: none
with campaigns as (
  select *
  from video_groups
  where dimension = 'campaign' and not is_previous
),
previous as (
  select name, views as previous_views
  from video_groups
  where dimension = 'campaign' and is_previous
),
dated as (
  select coalesce(campaign, '(none)') as name, month, video_view_count
  from video_posts
  where not is_previous and month is not null
),
by_month as (
  select name, month, sum(video_view_count)::double as views
  from dated
  group by name, month
),
-- a line needs two months
trends as (
  select
    campaigns.name,
    case when count(*) >= 2 then list(by_month.views order by report_months.month) end as trend
  from campaigns
  cross join report_months
  left join by_month using (name, month)
  group by campaigns.name
)
select
  name as campaign,
  videos,
  videos_not_synced,
  impressions,
  views,
  viewers,
  watch_time_seconds,
  view_rate,
  views_per_viewer,
  seconds_per_view,
  seconds_per_viewer,
  previous_views,
  case when previous_views > 0 then views / previous_views - 1 end as views_change,
  trend
from campaigns
left join previous using (name)
left join trends using (name)
order by campaign = '(none)', views desc nulls last, videos desc, campaign;
