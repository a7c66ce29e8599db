-- grain: one profile of one workspace
-- key: workspace, profile_id
-- reads: video_groups, video_posts, report_months
-- parameters: none
with profiles as (
  select name as profile_id, *
  from video_groups
  where dimension = 'profile' and not is_previous
),
previous as (
  select workspace, name as profile_id, views as previous_views
  from video_groups
  where dimension = 'profile' and is_previous
),
by_month as (
  select workspace, profile_id, month, sum(video_view_count)::double as views
  from video_posts
  where not is_previous and month is not null
  group by workspace, profile_id, month
),
-- a line needs two months
trends as (
  select
    profiles.workspace,
    profiles.profile_id,
    case when count(*) >= 2 then list(by_month.views order by report_months.month) end as trend
  from profiles
  cross join report_months
  left join by_month using (workspace, profile_id, month)
  group by profiles.workspace, profiles.profile_id
)
select
  coalesce(profile, profile_id) as profile,
  workspace,
  kind,
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
  trend,
  profile_id
from profiles
left join previous using (workspace, profile_id)
left join trends using (workspace, profile_id)
order by views desc nulls last, videos desc, profile, workspace, profile_id;
