-- grain: at most one row; none with fewer than 10 videos with watch time and views
-- reads: video_posts
select
  'The median video is watched for {median_seconds:duration} per view, all videos together for {seconds_per_view:duration}' as text,
  median(seconds) as median_seconds,
  ratio_of_sums(video_watch_time_seconds, video_view_count) as seconds_per_view
from video_posts
where seconds is not null
having count(*) >= 10;
