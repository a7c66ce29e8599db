-- grain: one sentence about the videos that are not shown, or that are added up
-- key: text
-- reads: report_posts, video_mixture
-- parameters: none
with videos as (
  select
    count(*) filter (
      where video_watch_time_seconds is null or video_view_count is null or video_view_count = 0
    ) as lacking,
    count(*) filter (where video_watch_time_seconds / nullif(video_view_count, 0) <= 0) as not_above_zero
  from report_posts
  where type = 'Video'
),
facts as (
  select 1 as position, text, null::bigint as n
  from video_mixture
  union all
  select
    2,
    case when lacking = 1 then '{n:count} video has' else '{n:count} videos have' end
      || ' no watch time or no views: not shown.',
    lacking
  from videos
  where lacking > 0
  union all
  select
    3,
    case when not_above_zero = 1 then '{n:count} video has' else '{n:count} videos have' end
      || ' no time per view above 0 and no place on the axis.',
    not_above_zero
  from videos
  where not_above_zero > 0
)
select text, n
from facts
order by position;
