-- grain: at most one row: the first sentence of the page; none without a video
-- reads: report_groups, report_settings
with total as (
  select
    report_groups.*,
    -- alike has a column named change
    coalesce(views_change, alike.change) as difference,
    videos - videos_not_synced as synced,
    case synced when 1 then 'Your video was' else 'Your {synced:count} videos were' end as subject,
    compared_with(difference, ', as often as in {comparison:phrase}{among:phrase}') as compared
  from report_groups
  left join (from like_for_like_of('report_sums', 'all') where figure = 'views') as alike on true
  where dimension = 'all'
)
select
  case
    when synced = 0 and interactions is not null and videos = 1
      then 'The views of your video are unknown; it brought **{interactions:count}** {interactions|interaction|interactions}.'
    when synced = 0 and interactions is not null
      then 'The views of your {videos:count} videos are unknown; they brought **{interactions:count}** {interactions|interaction|interactions}.'
    when synced = 0 and videos = 1 then 'The views of your video are not known yet.'
    when synced = 0 then 'The views of your {videos:count} videos are not known yet.'
    else '{subject:phrase} viewed **{views:count}** {views|time|times}{compared:phrase}.{watched:phrase}'
  end as text,
  subject,
  compared,
  comparison,
  among,
  profiles_comparable,
  case when watch_time_seconds > 0 then ' Total watch time: {watch_time:duration}.' else '' end as watched,
  videos,
  synced,
  interactions,
  views,
  abs(difference) as distance,
  watch_time_seconds as watch_time
from total
cross join report_settings;
