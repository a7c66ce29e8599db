-- grain: at most one row; none with fewer than 5 synced videos
-- reads: video_posts
with figures as (
  select
    count(*) as videos,
    max(video_view_count) / nullif(sum(video_view_count), 0) as largest_share,
    median(video_view_count) as median_views,
    min(video_view_count) as least
  from video_posts
  where video_view_count is not null
)
select
  case
    when largest_share >= 0.1 and is_concentrated(largest_share, 1, videos)
      then 'One of {videos|# video|# videos} accounts for {largest_share:share} of the views; the median video has {median_views:count}'
    else 'The median of {videos|# video|# videos} has {median_views|# view|# views}'
  end as text,
  videos,
  largest_share,
  median_views
from figures
where videos >= 5 and least >= 0 and median_views >= 1;
