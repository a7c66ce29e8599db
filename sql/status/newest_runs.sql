-- grain: a job, with its newest run
-- key: job
-- reads: runs
-- parameters: none
select
  job,
  max_by(run_id, (started_at, run_id)) as run_id,
  max_by(status, (started_at, run_id)) as status
from runs
group by job
order by job;
