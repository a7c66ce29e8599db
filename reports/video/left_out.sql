-- grain: one reason for which videos are missing in some figures
-- key: what
-- reads: report_posts, report_removed, report_settings, video_expired
with reasons as (
  select
    1 as position,
    'Removed videos' as what,
    count(*) as videos,
    sum(impression_count) as impressions,
    sum(video_view_count) as views,
    'Deleted in the workspace. Excluded from every figure.' as why
  from report_removed
  where type = 'Video' and (select removed from report_settings) = 'exclude'
  union all
  select
    2,
    'Videos that are not synced',
    count(*),
    sum(impression_count),
    null,
    'Their views are unknown, and not counted as 0.'
  from report_posts
  where type = 'Video' and video_view_count is null
  union all
  select
    3,
    'Videos without impressions',
    count(*),
    null,
    sum(video_view_count),
    'Excluded from the view rate. Their views are included in totals.'
  from report_posts
  where type = 'Video' and impression_count is null and video_view_count is not null
  union all
  select
    4,
    'Videos without viewers',
    count(*),
    sum(impression_count),
    sum(video_view_count),
    'Excluded from figures per viewer. Their views are included in totals.'
  from report_posts
  where type = 'Video' and video_viewer_count is null and video_view_count is not null
  union all
  select
    5,
    'Videos without watch time',
    count(*),
    sum(impression_count),
    sum(video_view_count),
    'Excluded from time per view. Their views are included in totals.'
  from report_posts
  where type = 'Video' and video_watch_time_seconds is null and video_view_count is not null
  union all
  select
    6,
    'Videos of which figures expired',
    count(*),
    sum(impression_count),
    sum(video_view_count),
    'Counted with their last known figures.'
  from video_expired
  join report_posts using (workspace, linkedin_post_id)
  union all
  select
    7,
    'Videos without a time of publication',
    count(*),
    sum(impression_count),
    sum(video_view_count),
    'By month they are under an empty month.'
  from report_posts
  where type = 'Video' and published_at is null
  union all
  select
    8,
    'Videos of profiles that are neither page nor member',
    count(*),
    sum(impression_count),
    sum(video_view_count),
    'Their posts carry neither clicks nor saves and sends. By kind they are shown separately.'
  from report_posts
  where type = 'Video' and kind is null
)
select what, videos, impressions, views, why
from reasons
where videos > 0
order by position;
