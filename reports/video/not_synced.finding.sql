-- grain: at most one row; none if all videos have views
-- reads: report_posts
select
  'The views of {n:count} of {videos:count} {videos|video|videos} are unknown' as text,
  count(*) filter (where video_view_count is null) as n,
  count(*) as videos
from report_posts
where type = 'Video'
having count(*) > count(video_view_count);
