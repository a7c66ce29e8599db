-- grain: one name of a label; (none) are the videos without one. A video counts once under each of its names
-- key: label
-- reads: video_groups, video_posts, report_months
-- parameters: none
with labels as (
  select *
  from video_groups
  where dimension = 'label' and not is_previous
),
previous as (
  select name, views as previous_views
  from video_groups
  where dimension = 'label' and is_previous
),
dated as (
  select
    unnest(case when len(labels) = 0 then ['(none)'] else labels end) as name,
    month,
    video_view_count
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
    labels.name,
    case when count(*) >= 2 then list(by_month.views order by report_months.month) end as trend
  from labels
  cross join report_months
  left join by_month using (name, month)
  group by labels.name
)
select
  name as label,
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
from labels
left join previous using (name)
left join trends using (name)
order by label = '(none)', views desc nulls last, videos desc, label;
