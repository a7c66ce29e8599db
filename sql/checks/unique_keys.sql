-- grain: a duplicate key among the rows that the load touches
-- key: table_name, duplicate
-- reads: posts, labels, campaigns, approvals, inline_comments, webhook_events, extract_windows, loaded_responses, new_parts, new_responses, touched_campaigns, touched_details, touched_events, touched_labels, touched_reviews
-- parameters: none
with keys as (
  select 'posts' as table_name, concat_ws(' ', workspace, post_id) as duplicate
  from posts
  semi join touched_details using (workspace, post_id)
  union all
  select 'labels', concat_ws(' ', workspace, label_id)
  from labels
  semi join touched_labels using (workspace, label_id)
  union all
  select 'campaigns', concat_ws(' ', workspace, campaign_id)
  from campaigns
  semi join touched_campaigns using (workspace, campaign_id)
  union all
  select 'approvals', concat_ws(' ', workspace, post_id, approval_id)
  from approvals
  semi join touched_reviews using (workspace, post_id)
  union all
  select 'inline_comments', concat_ws(' ', workspace, post_id, thread_id)
  from inline_comments
  semi join touched_reviews using (workspace, post_id)
  union all
  select 'webhook_events', event_key
  from webhook_events
  semi join touched_events using (event_key)
  union all
  select 'extract_windows', concat_ws(' ', run_id, workspace, profile_id, start_date, end_date)
  from extract_windows
  semi join new_parts using (run_id, workspace)
  union all
  select 'loaded_responses', concat_ws(' ', workspace, run_id, seq)
  from loaded_responses
  semi join new_responses using (workspace, run_id, seq)
)
select table_name, duplicate
from keys
group by table_name, duplicate
having count(*) > 1;
