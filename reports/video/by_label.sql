-- grain: one name of a label; (none) are the videos without one. A video counts once under each of its names
-- key: label
-- reads: report_posts
-- parameters: none
with labelled as (
  select
    unnest(case when len(labels) = 0 then ['(none)'] else labels end) as label,
    impression_count,
    video_view_count,
    video_viewer_count,
    video_watch_time_seconds
  from report_posts
  where type = 'Video'
),
groups as (
  select
    label,
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
  from labelled
  group by label
)
select
  label,
  videos,
  videos_not_synced,
  impressions,
  views,
  viewers,
  watch_time_seconds,
  view_rate,
  views_per_viewer,
  seconds_per_view,
  seconds_per_viewer
from groups
order by label = '(none)', views desc nulls last, videos desc, label;
