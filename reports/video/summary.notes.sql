-- grain: one sentence about what the totals leave out or rest on, in the page's order
-- key: text
-- reads: report_posts, report_removed, report_settings, video_mixture
with videos as (
  select
    count(*) filter (where video_view_count is null) as not_synced,
    count(*) filter (where impression_count is null and video_view_count is not null) as without_impressions,
    count(*) filter (where published_at is null) as without_time
  from report_posts
  where type = 'Video'
),
removed as (
  select count(*) as removed_videos, sum(video_view_count) as amount
  from report_removed
  where type = 'Video'
),
facts as (
  select amount, unnest(
    [
      {
        'position': 1,
        'text': '{n:count} {n|video is|videos are} not synced: without views, and not counted as 0.',
        'n': nullif(not_synced, 0)
      },
      {
        'position': 2,
        'text': '{n:count} {n|video has|videos have} views but no impressions: excluded from the view rate.',
        'n': nullif(without_impressions, 0)
      },
      {
        'position': 3,
        'text': '{n:count} removed {n|video is|videos are} '
          || case removed when 'exclude' then 'excluded' when 'only' then 'all that is included' else 'included' end
          || case when amount is null then '.' else ' ({amount:count} {amount|view|views}).' end,
        'n': nullif(removed_videos, 0)
      },
      {
        'position': 4,
        'text': '{n:count} {n|video has|videos have} no time of publication: included here, and under an empty month.',
        'n': nullif(without_time, 0)
      }
    ],
    recursive := true
  )
  from videos
  cross join removed
  cross join report_settings
  union all by name
  select 5 as position, text, 0 as n
  from video_mixture
)
select text, n, amount
from facts
where n is not null
order by position;
