-- grain: one row: all videos of the report, each once; stands under the tables
-- key: none
-- reads: report_posts, report_previous, report_settings
-- parameters: none
with shown as (
  select
    count(*) as videos,
    count(*) filter (where video_view_count is null) as videos_not_synced,
    sum(impression_count) as impressions,
    sum(video_view_count) as views,
    sum(video_viewer_count) as viewers,
    sum(video_watch_time_seconds) as watch_time_seconds,
    ratio_of_sums(video_view_count, impression_count) as view_rate,
    ratio_of_sums(video_view_count, video_viewer_count) as views_per_viewer,
    ratio_of_sums(video_watch_time_seconds, video_view_count) as seconds_per_view,
    ratio_of_sums(video_watch_time_seconds, video_viewer_count) as seconds_per_viewer
  from report_posts
  where type = 'Video'
),
previous as (
  select sum(video_view_count) as previous_views
  from report_previous
  where type = 'Video'
)
select
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
  case when period_months is not null then previous_views end as previous_views
from shown
cross join previous
cross join report_settings;
