-- grain: one video with a known figure that is missing in the newest reading
-- key: workspace, linkedin_post_id
-- reads: video_expired, video_posts
select
  title,
  profile,
  published_at,
  expired_figures,
  last_known_on,
  missing_since,
  date_diff('day', published_local::date, missing_since) as age_then,
  video_view_count as views,
  video_viewer_count as viewers,
  video_watch_time_seconds as watch_time_seconds,
  kind,
  url,
  workspace,
  linkedin_post_id
from video_expired
join video_posts using (workspace, linkedin_post_id)
order by missing_since desc, views desc nulls last, workspace, linkedin_post_id;
