-- grain: one thread of comments that is not resolved
-- key: workspace, post_id, thread_id
-- reads: workflow_threads
select * exclude (days, is_open)
from workflow_threads
where is_open
order by last_reply_at desc nulls last, workspace, post_id, thread_id;
