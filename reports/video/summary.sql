-- grain: one row: all videos of the report
-- reads: report_facts
select
  videos,
  videos_not_synced,
  impressions,
  views,
  viewers,
  watch_time_seconds,
  view_rate,
  views_per_viewer,
  seconds_per_view,
  seconds_per_viewer,
  share_watched,
  removed_posts,
  removed_emv,
  removed_impressions,
  removed_views,
  previous_videos,
  previous_views,
  previous_watch_time_seconds,
  previous_view_rate,
  previous_views_per_viewer,
  previous_seconds_per_view,
  views_change_like_for_like
from report_facts;
