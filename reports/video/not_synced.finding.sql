-- grain: at most one row; none if all videos have views
-- reads: report_posts
select
  '{n:count} of {videos|# video|# videos} {n|has|have} no known views' as text,
  count(*) filter (where video_view_count is null) as n,
  count(*) as videos
from report_posts
where type = 'Video'
having count(*) > count(video_view_count);
