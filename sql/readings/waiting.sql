-- grain: a profile with date ranges that may be read again (last_date: the last date of them), or a job whose newest run did not get all details of posts
-- key: workspace, profile_id, job
-- reads: failed_windows, runs, loaded_responses
-- parameters: $lasting (the HTTP statuses of failures that a later request would meet again)
with newest_runs as (
  select job, run_id
  from runs
  where finished_at is not null
  qualify row_number() over (partition by job order by started_at desc, run_id desc) = 1
)
select workspace, profile_id, null as job, max(end_date) as last_date
from failed_windows
where not coalesce(list_contains($lasting::integer[], http_status), false)
group by workspace, profile_id
union all
select distinct null, null, job, null
from newest_runs
join loaded_responses using (run_id)
where kind <> 'analytics' and outcome = 'failed';
