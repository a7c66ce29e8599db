-- grain: one of the last runs, the newest first
-- key: run_id
-- reads: report_runs
-- parameters: $runs
select
  started_at,
  job,
  status,
  requests,
  retries,
  throttled,
  posts_read,
  rejected,
  date_diff('millisecond', started_at, finished_at) / 1000 as duration_seconds,
  run_id
from report_runs
order by started_at desc, run_id desc
limit $runs::bigint;
