-- grain: one post behind a row of watch_time
-- key: kind, workspace, linkedin_post_id
-- reads: video_posts
select kind_title(kind) as kind, workspace, linkedin_post_id
from video_posts
where seconds is not null
order by kind, workspace, linkedin_post_id;
