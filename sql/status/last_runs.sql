-- grain: a run: the newest runs of all jobs, and the newest run of each job
-- key: run_id
-- reads: runs
-- parameters: $limit (null for all runs)
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
qualify $limit::bigint is null
  or row_number() over (order by started_at desc, run_id desc) <= $limit::bigint
  or row_number() over (partition by job order by started_at desc, run_id desc) = 1
order by started_at desc, run_id desc;
