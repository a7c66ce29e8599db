-- grain: at most one row; none if all videos have views
-- reads: video_posts
select
  '{n:count} of {videos|# video|# videos} {n|has|have} no known views' as text,
  count(*) filter (where video_view_count is null) as n,
  count(*) as videos
from video_posts
having count(*) > count(video_view_count);
