-- grain: one reason for which videos are missing in some figures
-- key: what
-- reads: report_posts, report_removed, report_settings, video_expired
-- parameters: none
with reasons as (
  select
    1 as position,
    'Removed videos' as what,
    count(*) as videos,
    sum(impression_count) as impressions,
    sum(video_view_count) as views,
    'Deleted, so in no figure of this report.' as why
  from report_removed
  where type = 'Video' and (select removed from report_settings) = 'exclude'
  union all
  select
    2,
    'Videos that are not synced',
    count(*),
    sum(impression_count),
    null,
    'Without views, and not counted as 0.'
  from report_posts
  where type = 'Video' and video_view_count is null
  union all
  select
    3,
    'Videos without impressions',
    count(*),
    null,
    sum(video_view_count),
    'Not in the view rate; their views are in the totals.'
  from report_posts
  where type = 'Video' and impression_count is null and video_view_count is not null
  union all
  select
    4,
    'Videos without viewers',
    count(*),
    sum(impression_count),
    sum(video_view_count),
    'Not in the figures per viewer; their views are in the totals.'
  from report_posts
  where type = 'Video' and video_viewer_count is null and video_view_count is not null
  union all
  select
    5,
    'Videos without watch time',
    count(*),
    sum(impression_count),
    sum(video_view_count),
    'Not in the time per view; their views are in the totals.'
  from report_posts
  where type = 'Video' and video_watch_time_seconds is null and video_view_count is not null
  union all
  select
    6,
    'Videos of which figures expired',
    count(*),
    sum(impression_count),
    sum(video_view_count),
    'Counted with the last figures known; what came later is in none.'
  from video_expired
  join report_posts using (workspace, linkedin_post_id)
  union all
  select
    7,
    'Videos without a time of publication',
    count(*),
    sum(impression_count),
    sum(video_view_count),
    'By month they stand under an empty month.'
  from report_posts
  where type = 'Video' and published_at is null
  union all
  select
    8,
    'Videos of profiles that are neither page nor member',
    count(*),
    sum(impression_count),
    sum(video_view_count),
    'Neither clicks nor saves and sends tell which; by kind they stand apart.'
  from report_posts
  where type = 'Video' and kind is null
)
select what, videos, impressions, views, why
from reasons
where videos > 0
order by position;
