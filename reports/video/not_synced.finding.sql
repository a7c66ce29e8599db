-- grain: at most one row; none where all videos have views
-- key: none
-- reads: report_posts
-- parameters: none
with videos as (
  select count(*) as videos, count(*) filter (where video_view_count is null) as n
  from report_posts
  where type = 'Video'
)
select
  case
    when n = 1 then '{n:count} of {videos:count} videos has no views yet, or no longer'
    else '{n:count} of {videos:count} videos have no views yet, or no longer'
  end as text,
  n,
  videos
from videos
where n > 0;
