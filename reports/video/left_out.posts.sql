-- grain: one post behind a row of left_out
-- key: what, workspace, linkedin_post_id
-- reads: left_out_posts, report_posts, video_expired
select what, workspace, linkedin_post_id, 1 as videos, impression_count as impressions, views
from left_out_posts('videos')
union all
select 'With expired figures', workspace, linkedin_post_id, 1, impression_count, video_view_count
from video_expired
join report_posts using (workspace, linkedin_post_id)
order by what, workspace, linkedin_post_id;
