-- grain: a reading of a range of days in any run
-- key: run_id, workspace, profile_id, start_date, end_date
-- reads: extract_windows, runs
-- parameters: $workspaces, $open_runs (run ids of the job that have not ended)
select
  extract_windows.workspace,
  extract_windows.profile_id,
  extract_windows.start_date,
  -- the last day that the answer was to prove
  coalesce(extract_windows.last_day, greatest(extract_windows.start_date, extract_windows.end_date - 1)) as end_date,
  extract_windows.part_of,
  extract_windows.status,
  extract_windows.reason,
  extract_windows.http_status,
  coalesce(extract_windows.records, 0) as records,
  epoch_ms(extract_windows.fetched_at) as fetched_at_ms,
  runs.job,
  epoch_ms(runs.started_at) as run_started_at_ms,
  runs.finished_at is not null and not list_contains($open_runs::varchar[], runs.run_id) as run_finished
from extract_windows
join runs using (run_id)
where extract_windows.workspace in (select unnest($workspaces::varchar[]))
order by
  extract_windows.fetched_at,
  extract_windows.run_id,
  extract_windows.workspace,
  extract_windows.profile_id,
  extract_windows.start_date,
  extract_windows.end_date;
