-- grain: a row whose parent is missing
-- key: table_name, orphan
-- reads: linkedin_posts, linkedin_post_snapshots, posts, post_labels, labels, assets, campaigns, runs, run_parts, extract_windows, window_checks
-- parameters: none
select 'linkedin_post_snapshots' as table_name, workspace || ' ' || linkedin_post_id as orphan
from linkedin_post_snapshots
anti join linkedin_posts using (workspace, linkedin_post_id)
union all
select 'linkedin_posts' as table_name, workspace || ' ' || linkedin_post_id as orphan
from linkedin_posts
anti join posts using (workspace, post_id)
where post_id is not null
union all
select 'post_labels' as table_name, workspace || ' ' || post_id || ' ' || label_id as orphan
from post_labels
anti join posts using (workspace, post_id)
union all
select 'post_labels' as table_name, workspace || ' ' || label_id as orphan
from post_labels
anti join labels using (workspace, label_id)
union all
select 'assets' as table_name, workspace || ' ' || post_id || ' ' || asset_id as orphan
from assets
anti join posts using (workspace, post_id)
union all
select 'posts' as table_name, workspace || ' ' || campaign_id as orphan
from posts
anti join campaigns using (workspace, campaign_id)
where campaign_id is not null
union all
select 'run_parts' as table_name, run_id as orphan
from run_parts
anti join runs using (run_id)
union all
select 'extract_windows' as table_name, run_id as orphan
from extract_windows
anti join runs using (run_id)
union all
select 'window_checks' as table_name, run_id as orphan
from window_checks
anti join runs using (run_id)
order by all;
