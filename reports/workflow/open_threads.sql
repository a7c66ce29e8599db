-- grain: one thread of comments that is not resolved
-- key: workspace, post_id, thread_id
-- reads: workflow_threads
select
  title,
  profile,
  published_at,
  channel,
  highlighted_text,
  replies,
  started_at,
  last_reply_at,
  workspace,
  post_id,
  thread_id
from workflow_threads
where is_open
order by last_reply_at desc nulls last, workspace, post_id, thread_id;
