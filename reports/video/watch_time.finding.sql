-- grain: at most one row; none with fewer than 10 videos with watch time and views
-- reads: report_posts
with watched as (
  select kind, finite(video_watch_time_seconds / nullif(video_view_count, 0)) as seconds
  from report_posts
  where type = 'Video'
),
medians as (
  select
    count(*) as videos,
    median(seconds) as median_seconds,
    exact_sum(seconds) / count(*) as mean_seconds
  from watched
  where seconds is not null
)
select
  'The median video is watched for {median_seconds:duration} per view, the average {mean_seconds:duration}' as text,
  median_seconds,
  mean_seconds
from medians
where videos >= 10;
