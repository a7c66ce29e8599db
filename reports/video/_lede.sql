-- grain: at most one row: what the page says first
-- key: none
-- reads: report_posts, report_previous, report_settings
-- parameters: none
with figures as (
  select
    count(video_view_count) as videos,
    sum(video_view_count) as views,
    sum(video_watch_time_seconds) as watch_time
  from report_posts
  where type = 'Video'
),
previous as (
  select sum(video_view_count) as views
  from report_previous
  where type = 'Video'
),
compared as (
  select
    figures.*,
    case when previous.views > 0 then figures.views / previous.views - 1 end as change,
    case period_months when 1 then 'the month' when 12 then 'the year' else 'the period' end as unit
  from figures
  cross join previous
  cross join report_settings
  where figures.views > 0
)
select
  case when videos = 1 then 'Your video was' else 'Your {videos:count} videos were' end
    || ' viewed **{views:count}** times'
    || case
      when change is null then '.'
      when abs(change) < 0.0005 then ', as often as in ' || unit || ' before.'
      when change > 0 then ', {distance:share} more than in ' || unit || ' before.'
      else ', {distance:share} less than in ' || unit || ' before.'
    end
    || case when watch_time > 0 then ' Together they were watched for {watch_time:duration}.' else '' end
    as text,
  videos,
  views,
  abs(change) as distance,
  watch_time
from compared;
