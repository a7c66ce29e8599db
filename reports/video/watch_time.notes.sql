-- grain: one sentence about the videos that are not shown, or that are added up
-- key: text
-- reads: report_posts, video_mixture
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
  select 1 as position, text, 0 as n
  from video_mixture
  union all by name
  select unnest(
    [
      {
        'position': 2,
        'text': '{n:count} {n|video|videos} without watch time or views {n|is|are} excluded.',
        'n': nullif(lacking, 0)
      },
      {
        'position': 3,
        'text': '{n:count} {n|video|videos} with 0 seconds per view {n|is|are} not in the chart (logarithmic axis).',
        'n': nullif(not_above_zero, 0)
      }
    ],
    recursive := true
  )
  from videos
)
select text, n
from facts
where n is not null
order by position;
