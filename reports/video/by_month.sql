-- grain: one month from the first to the last with videos, those without too; videos without a time are under an empty month
-- key: month
-- reads: video_groups
-- parameters: none
with months_with_videos as (
  select day as month, *
  from video_groups
  where dimension = 'month' and not is_previous
),
months as (
  select unnest(generate_series(min(month), max(month), interval 1 month))::date as month
  from months_with_videos
  union
  select month
  from months_with_videos
),
-- set beside the month so much later; only whole months can be
previous as (
  select day as month, views as previous_views
  from video_groups
  where dimension = 'month' and is_previous
)
select
  months.month,
  coalesce(videos, 0) as videos,
  coalesce(videos_not_synced, 0) as videos_not_synced,
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
  young_views as not_final
from months
left join months_with_videos on months_with_videos.month is not distinct from months.month
left join previous on previous.month = months.month
order by months.month nulls last;
