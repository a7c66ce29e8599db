-- grain: one sentence about what the totals leave out or rest on, in the page's order
-- key: text
-- reads: report_posts, report_removed, report_settings, video_mixture
-- parameters: none
with videos as (
  select
    count(*) filter (where video_view_count is null) as not_synced,
    count(*) filter (where impression_count is null and video_view_count is not null) as without_impressions,
    count(*) filter (where published_at is null) as without_time
  from report_posts
  where type = 'Video'
),
removed as (
  select
    count(*) as videos,
    count(video_view_count) as videos_with_views,
    sum(video_view_count) as views
  from report_removed
  where type = 'Video'
),
facts as (
  select
    1 as position,
    case when not_synced = 1 then '{n:count} video is' else '{n:count} videos are' end
      || ' not synced: without views, and not counted as 0.' as text,
    not_synced as n,
    null::hugeint as amount
  from videos
  where not_synced > 0
  union all
  select
    2,
    case when without_impressions = 1 then '{n:count} video has' else '{n:count} videos have' end
      || ' views but no impressions: not in the view rate.',
    without_impressions,
    null
  from videos
  where without_impressions > 0
  union all
  select
    3,
    case when report_settings.removed = 'only' then 'Only the ' else '' end
      || case
        when removed.videos = 1 then '{n:count} video that was removed is'
        else '{n:count} videos that were removed are'
      end
      || case when report_settings.removed = 'exclude' then ' left out; ' else ' counted here; ' end
      || case when removed.videos = 1 then 'its views' else 'their views' end
      || case
        when removed.views is null then ' are not known.'
        when videos_with_views < removed.videos then ' are {amount:count}, as far as they are known.'
        else ' are {amount:count}.'
      end,
    removed.videos,
    removed.views
  from removed
  cross join report_settings
  where removed.videos > 0
  union all
  select
    4,
    case when without_time = 1 then '{n:count} video has' else '{n:count} videos have' end
      || ' no time of publication: counted here and under an empty month.',
    without_time,
    null
  from videos
  where without_time > 0
  union all
  select 5, text, null, null
  from video_mixture
)
select text, n, amount
from facts
order by position;
