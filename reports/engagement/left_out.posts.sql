-- grain: one post behind a row of left_out
-- key: what, workspace, linkedin_post_id
-- reads: left_out_posts
select what, workspace, linkedin_post_id, impression_count as impressions, engagements
from left_out_posts('posts')
order by what, workspace, linkedin_post_id;
