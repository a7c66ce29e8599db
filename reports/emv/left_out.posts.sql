-- grain: one post behind a row of left_out
-- key: what, workspace, linkedin_post_id
-- reads: left_out_posts
select what, workspace, linkedin_post_id, emv, case when what <> 'Without EMV' then impression_count end as impressions
from left_out_posts('posts')
order by what, workspace, linkedin_post_id;
