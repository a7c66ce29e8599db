-- grain: a date range of a profile that the run read or tried to read, to the last day that the answer was to prove
-- key: workspace, profile_id, start_date, end_date
-- reads: extract_windows, profiles
-- parameters: $run_id
select
  windows.workspace,
  windows.profile_id,
  coalesce(profiles.name, windows.profile_id) as profile,
  windows.start_date,
  coalesce(windows.last_day, greatest(windows.start_date, windows.end_date - 1)) as end_date,
  windows.status,
  windows.http_status,
  windows.posts_read,
  windows.requests,
  windows.fetched_at,
  windows.error
from extract_windows as windows
left join profiles using (workspace, profile_id)
where windows.run_id = $run_id
order by windows.seq, windows.workspace;
