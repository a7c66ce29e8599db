-- grain: a run, the newest first
-- key: run_id
-- reads: runs
-- parameters: $limit
select
  run_id,
  job,
  started_at,
  finished_at,
  status,
  requests,
  retries,
  throttled,
  posts_read,
  rejected
from runs
order by started_at desc, run_id desc
limit $limit;
