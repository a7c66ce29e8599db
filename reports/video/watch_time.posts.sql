-- grain: one post behind a row of watch_time
-- key: kind, workspace, linkedin_post_id
-- reads: report_posts
select kind_title(kind) as kind, workspace, linkedin_post_id
from report_posts
where type = 'Video' and finite(video_watch_time_seconds / nullif(video_view_count, 0)) is not null
order by kind, workspace, linkedin_post_id;
