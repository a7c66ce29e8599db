-- grain: at most one row: what the page says first; none without a video
-- key: none
-- reads: video_groups, report_posts, report_settings
-- parameters: none
with synced as (
  select count(video_view_count) as videos
  from report_posts
  where type = 'Video'
),
compared as (
  select
    synced.videos,
    shown.videos as all_videos,
    shown.views,
    shown.watch_time_seconds as watch_time,
    case when previous.views > 0 then shown.views / previous.views - 1 end as change,
    case
      when compare = 'year' then 'the year before'
      when period_months = 1 then 'the month before'
      when period_months = 12 then 'the year before'
      else 'the period before'
    end as earlier
  from report_settings
  cross join synced
  join video_groups as shown on shown.dimension = 'total' and not shown.is_previous
  left join video_groups as previous on previous.dimension = 'total' and previous.is_previous
  where shown.videos > 0
)
select
  case
    when videos = 0 and all_videos = 1 then 'Your video has no views yet that are known.'
    when videos = 0 then 'None of your {all_videos:count} videos has views that are known.'
    else case when videos = 1 then 'Your video was' else 'Your {videos:count} videos were' end
    || ' viewed **{views:count}** times'
    || case
      when change is null then '.'
      when abs(change) < 0.0005 then ', as often as in ' || earlier || '.'
      when change > 0 then ', {distance:share} more than in ' || earlier || '.'
      else ', {distance:share} less than in ' || earlier || '.'
    end
    || case when watch_time > 0 then ' Together they were watched for {watch_time:duration}.' else '' end
  end as text,
  all_videos,
  videos,
  views,
  abs(change) as distance,
  watch_time
from compared;
