-- grain: one row: all videos of the report
-- key: none
-- reads: report_posts, report_removed
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
removed as (
  select
    count(*) as removed_posts,
    sum(impression_count) as removed_impressions,
    sum(video_view_count) as removed_views,
    exact_sum(emv) as removed_emv
  from report_removed
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
  removed_posts,
  removed_emv,
  removed_impressions,
  removed_views
from shown
cross join removed;
