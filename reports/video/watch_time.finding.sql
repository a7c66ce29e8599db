-- grain: at most one row; none with fewer than 10 videos with watch time and views
-- reads: report_posts
with watched as (
  select
    video_watch_time_seconds,
    video_view_count,
    finite(video_watch_time_seconds / nullif(video_view_count, 0)) as seconds
  from report_posts
  where type = 'Video'
),
medians as (
  select
    count(*) as videos,
    median(seconds) as median_seconds,
    ratio_of_sums(video_watch_time_seconds, video_view_count) as seconds_per_view
  from watched
  where seconds is not null
)
select
  'The median video is watched for {median_seconds:duration} per view, all videos together for {seconds_per_view:duration}' as text,
  median_seconds,
  seconds_per_view
from medians
where videos >= 10;
