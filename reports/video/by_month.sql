-- grain: one month of publication with videos; videos without a time are under an empty month
-- key: month
-- reads: video_groups
-- parameters: none
with months as (
  select day as month, *
  from video_groups
  where dimension = 'month' and not is_previous
),
-- set beside the month so much later; only whole months can be
previous as (
  select day as month, views as previous_views
  from video_groups
  where dimension = 'month' and is_previous
)
select
  month,
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
  young_views as not_final
from months
left join previous using (month)
order by month nulls last;
