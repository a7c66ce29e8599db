-- grain: one window whose newest reading failed, and that no later reading covers
-- key: workspace, profile_id, start_date, end_date
-- reads: quality_open_windows
select
  profile,
  workspace,
  start_date,
  end_date,
  open_days,
  http_status::bigint as http_status,
  error,
  fetched_at,
  run_id,
  profile_id
from quality_open_windows
order by fetched_at desc, profile, workspace, profile_id, start_date, end_date;
