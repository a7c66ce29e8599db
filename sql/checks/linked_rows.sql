-- grain: a row whose parent is missing, among the rows that the load touches
-- key: table_name, orphan
-- reads: linkedin_posts, posts, post_labels, labels, campaigns, touched_details, touched_posts
-- parameters: none
select 'linkedin_posts' as table_name, workspace || ' ' || post_id as orphan
from linkedin_posts
semi join touched_posts using (workspace, linkedin_post_id)
anti join posts using (workspace, post_id)
where post_id is not null
union all
select 'post_labels' as table_name, workspace || ' ' || post_id || ' ' || label_id as orphan
from post_labels
semi join touched_details using (workspace, post_id)
anti join labels using (workspace, label_id)
union all
select 'posts' as table_name, workspace || ' ' || campaign_id as orphan
from posts
semi join touched_details using (workspace, post_id)
anti join campaigns using (workspace, campaign_id)
where campaign_id is not null;
