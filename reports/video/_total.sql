-- grain: one row: all videos of the report, each once; stands under the tables
-- key: none
-- reads: video_groups, report_settings
-- parameters: none
select
  coalesce(shown.videos, 0) as videos,
  coalesce(shown.videos_not_synced, 0) as videos_not_synced,
  shown.impressions,
  shown.views,
  shown.viewers,
  shown.watch_time_seconds,
  shown.view_rate,
  shown.views_per_viewer,
  shown.seconds_per_view,
  shown.seconds_per_viewer,
  previous.views as previous_views,
  case when previous.views > 0 then shown.views / previous.views - 1 end as views_change,
  shown.young_views as not_final
from report_settings
left join video_groups as shown on shown.dimension = 'total' and not shown.is_previous
left join video_groups as previous on previous.dimension = 'total' and previous.is_previous;
