-- grain: a date range whose newest answer is a failure and that has days not read since
-- key: workspace, profile_id, start_date, end_date
-- reads: failed_windows
select workspace, profile_id, start_date, end_date, fetched_at as failed_at, error
from failed_windows
order by workspace, profile_id, start_date, end_date;
