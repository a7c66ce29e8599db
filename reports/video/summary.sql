-- grain: one row: all videos of the report
-- reads: report_sums, report_removed, report_settings
with removed as (
  select
    count(*) as removed_posts,
    sum(impression_count) as removed_impressions,
    sum(video_view_count) as removed_views,
    exact_sum(emv) as removed_emv
  from report_removed
  where type = 'Video'
)
select
  coalesce(shown.videos, 0) as videos,
  coalesce(shown.videos_not_synced, 0) as videos_not_synced,
  shown.impressions,
  shown.views,
  shown.viewers,
  shown.watch_time_seconds,
  shown.view_rate,
  shown.views_per_viewer,
  shown.seconds_per_view,
  shown.seconds_per_viewer,
  shown.share_watched,
  removed_posts,
  removed_emv,
  removed_impressions,
  removed_views,
  -- null where the earlier period was not read of every profile; without videos it has 0
  case when is_comparable then coalesce(previous.videos, 0) end as previous_videos,
  previous.views as previous_views,
  previous.watch_time_seconds as previous_watch_time_seconds,
  previous.view_rate as previous_view_rate,
  previous.views_per_viewer as previous_views_per_viewer,
  previous.seconds_per_view as previous_seconds_per_view,
  (select change from like_for_like_of('report_sums', 'all') where figure = 'views') as views_change_like_for_like
from report_settings
cross join removed
left join (
  from report_sums where is_current and dimension = 'all' and not is_monthly
) as shown on true
left join (
  from report_sums where not is_current and dimension = 'all' and not is_monthly
) as previous on true;
