-- grain: at most one row: the first sentence of the page; none without a video
-- reads: leading_total, led_text, report_groups, standing_of
with total as (
  select *, videos - videos_not_synced as synced
  from report_groups
  where dimension = 'all'
)
select
  case
    when synced = 0 then 'The views of {whole|your video|your # videos} are not known yet.{led_text:phrase}'
    else '{subject:phrase} {part|was|were} viewed **{views:count}** {views|time|times}{compared:phrase}.{watched:phrase}'
  end as text,
  subject_of('videos', synced, videos) as subject,
  standing.*,
  ' Total watch time: {watch_time:duration}.' as watched,
  videos as whole,
  synced as part,
  led_text() as led_text,
  led,
  views,
  case when watch_time_seconds > 0 then watch_time_seconds end as watch_time
from total
cross join leading_total('report_sums')
cross join standing_of('report_sums', 'views') as standing;
