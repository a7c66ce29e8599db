-- grain: one video with watch time and views
-- key: workspace, linkedin_post_id
-- reads: report_posts
select
  video_title(title, commentary) as title,
  published_at,
  kind,
  finite(video_watch_time_seconds / nullif(video_view_count, 0)) as seconds_per_view,
  workspace,
  linkedin_post_id
from report_posts
where type = 'Video' and finite(video_watch_time_seconds / nullif(video_view_count, 0)) is not null
order by seconds_per_view desc, workspace, linkedin_post_id;
