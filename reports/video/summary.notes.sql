-- grain: one sentence about what the totals leave out or rest on, in the page's order
-- key: text
-- reads: report_posts, report_removed, report_settings
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
  select count(*) as videos
  from report_removed
  where type = 'Video'
),
facts as (
  select
    1 as position,
    case when not_synced = 1 then '{n:count} video is' else '{n:count} videos are' end
      || ' not synced: without views, and not counted as 0.' as text,
    not_synced as n
  from videos
  where not_synced > 0
  union all
  select
    2,
    case when without_impressions = 1 then '{n:count} video has' else '{n:count} videos have' end
      || ' views but no impressions: not in the view rate.',
    without_impressions
  from videos
  where without_impressions > 0
  union all
  select
    3,
    case removed
      when 'only' then 'Removed videos only.'
      when 'include' then '{n:count} removed after publication, counted here.'
      else '{n:count} removed after publication, left out.'
    end,
    removed.videos
  from removed
  cross join report_settings
  where removed.videos > 0
  union all
  select
    4,
    case when without_time = 1 then '{n:count} video has' else '{n:count} videos have' end
      || ' no time of publication: counted here and under an empty month.',
    without_time
  from videos
  where without_time > 0
)
select text, n
from facts
order by position;
