-- grain: a job whose newest run did not get all details of posts
-- key: job
-- reads: runs, loaded_responses
-- parameters: none
with newest_runs as (
  select job, run_id
  from runs
  where finished_at is not null
  qualify row_number() over (partition by job order by started_at desc, run_id desc) = 1
)
select distinct job
from newest_runs
join loaded_responses using (run_id)
where kind <> 'analytics' and outcome = 'failed'
order by job;
