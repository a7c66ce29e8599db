-- grain: at most one row: the first sentence of the page; none without a video
-- reads: report_groups, report_settings
with total as (
  select
    report_groups.*,
    -- alike has a column named change
    coalesce(views_change, alike.change) as difference,
    videos - videos_not_synced as synced,
    compared_with(
      difference,
      ', as often as in {comparison:phrase}{among:phrase}',
      ', from {before:count} in {comparison:phrase}{among:phrase}'
    ) as compared,
    coalesce(previous_views, alike.previous) as before
  from report_groups
  left join (from like_for_like_of('report_sums', 'all') where figure = 'views') as alike on true
  where dimension = 'all'
)
select
  case
    when synced = 0 and interactions is not null
      then 'The views of {whole|your video|your # videos} are unknown; {whole|it|they} brought **{interactions:count}** {interactions|interaction|interactions}.'
    when synced = 0 then 'The views of {whole|your video|your # videos} are not known yet.'
    else '{subject:phrase} {part|was|were} viewed **{views:count}** {views|time|times}{compared:phrase}.{watched:phrase}'
  end as text,
  subject_of('videos', synced, videos) as subject,
  compared,
  before,
  comparison,
  among,
  profiles_comparable,
  ' Total watch time: {watch_time:duration}.' as watched,
  videos as whole,
  synced as part,
  interactions,
  views,
  abs(difference) as distance,
  case when watch_time_seconds > 0 then watch_time_seconds end as watch_time
from total
cross join report_settings;
