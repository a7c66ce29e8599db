-- grain: one reason for which the newest readings of date ranges of a profile failed, as far as no later one covers them
-- key: workspace, profile_id, http_status, error
-- reads: failed_windows, report_profiles
select
  profile,
  workspace,
  min(start_date) as start_date,
  max(end_date) as end_date,
  sum(open_days)::bigint as open_days,
  http_status::bigint as http_status,
  error,
  -- a key or an id that was refused is refused again until a person has mended it
  if(http_status in (400, 401, 403, 404, 422), 'postledger check --online', 'postledger catch-up') as command,
  max(fetched_at) as fetched_at,
  max(run_id) as run_id,
  profile_id
from failed_windows
join report_profiles using (workspace, profile_id)
group by all
order by fetched_at desc, profile, workspace, profile_id, start_date, end_date, error;
