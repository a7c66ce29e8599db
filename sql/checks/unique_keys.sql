-- grain: a duplicate key among the rows that the load touches
-- key: table_name, duplicate
-- reads: posts, labels, campaigns, approvals, inline_comments, webhook_events, extract_windows, loaded_responses, new_parts, new_responses, touched_campaigns, touched_details, touched_events, touched_labels, touched_reviews
-- parameters: none
select 'posts' as table_name, workspace || ' ' || post_id as duplicate
from posts
semi join touched_details using (workspace, post_id)
group by workspace, post_id
having count(*) > 1
union all
select 'labels' as table_name, workspace || ' ' || label_id as duplicate
from labels
semi join touched_labels using (workspace, label_id)
group by workspace, label_id
having count(*) > 1
union all
select 'campaigns' as table_name, workspace || ' ' || campaign_id as duplicate
from campaigns
semi join touched_campaigns using (workspace, campaign_id)
group by workspace, campaign_id
having count(*) > 1
union all
select 'approvals' as table_name, workspace || ' ' || post_id || ' ' || approval_id as duplicate
from approvals
semi join touched_reviews using (workspace, post_id)
group by workspace, post_id, approval_id
having count(*) > 1
union all
select 'inline_comments' as table_name, workspace || ' ' || post_id || ' ' || thread_id as duplicate
from inline_comments
semi join touched_reviews using (workspace, post_id)
group by workspace, post_id, thread_id
having count(*) > 1
union all
select 'webhook_events' as table_name, event_key as duplicate
from webhook_events
semi join touched_events using (event_key)
group by event_key
having count(*) > 1
union all
select 'extract_windows' as table_name, run_id || ' ' || workspace || ' ' || profile_id || ' ' || start_date as duplicate
from extract_windows
semi join new_parts using (run_id, workspace)
group by run_id, workspace, profile_id, start_date, end_date
having count(*) > 1
union all
select 'loaded_responses' as table_name, workspace || ' ' || run_id || ' ' || seq as duplicate
from loaded_responses
semi join new_responses using (workspace, run_id, seq)
group by workspace, run_id, seq
having count(*) > 1;
