-- grain: an interrupted run whose job has not finished a later run
-- key: run_id
-- reads: runs, extract_windows
-- parameters: $since, $dead_runs (run ids that died, perhaps after all was read)
with windows as (
  select run_id, count(*) as windows, max(fetched_at) as last_read_at
  from extract_windows
  where status = 'succeeded' and fetched_at >= $since
  group by run_id
),
ends as (
  select
    run_id,
    job,
    started_at,
    status = 'interrupted' or list_contains($dead_runs::varchar[], run_id) as is_cut_off,
    finished_at is not null and not is_cut_off as is_finished
  from runs
)
select ends.run_id, ends.job, windows.windows, windows.last_read_at
from ends
inner join windows on windows.run_id = ends.run_id
left join ends as later
  on later.job = ends.job
  and later.is_finished
  and later.started_at > ends.started_at
where ends.is_cut_off and later.run_id is null
order by ends.run_id;
