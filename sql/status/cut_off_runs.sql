-- grain: a run that was cut off and whose job has not finished a later one
-- key: run_id
-- reads: runs, extract_windows
-- parameters: $since
with windows as (
  select run_id, count(*) as windows, max(fetched_at) as last_read_at
  from extract_windows
  where status = 'succeeded' and fetched_at >= $since
  group by run_id
)
select runs.run_id, runs.job, windows.windows, windows.last_read_at
from runs
inner join windows on windows.run_id = runs.run_id
left join runs as later
  on later.job = runs.job
  and later.finished_at is not null
  and later.started_at > runs.started_at
where runs.status = 'interrupted' and later.run_id is null
order by runs.run_id;
