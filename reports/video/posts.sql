-- grain: one LinkedIn video
-- key: workspace, linkedin_post_id
-- reads: report_posts
select
  columns(post_columns()),
  impression_count as impressions,
  video_view_count,
  video_viewer_count,
  video_watch_time_seconds,
  video_view_count / nullif(impression_count, 0) as view_rate,
  video_view_count / nullif(video_viewer_count, 0) as views_per_viewer,
  video_watch_time_seconds / nullif(video_view_count, 0) as seconds_per_view,
  video_watch_time_seconds / nullif(video_viewer_count, 0) as seconds_per_viewer,
  media.video_seconds as length_seconds,
  finite(video_watch_time_seconds / (video_view_count * media.video_seconds)) as share_watched,
  interactions,
  is_young,
  kind
from report_posts
where type = 'Video'
order by
  video_view_count desc nulls last,
  impressions desc nulls last,
  interactions desc nulls last,
  published_at nulls last,
  workspace,
  linkedin_post_id;
