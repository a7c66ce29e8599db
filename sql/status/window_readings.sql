-- grain: a window, with its newest reading and its newest successful one
-- key: workspace, profile_id, start_date, end_date
-- reads: extract_windows
-- parameters: $timezone
select
  workspace,
  profile_id,
  start_date,
  end_date,
  max(fetched_at) filter (where status = 'succeeded') as read_at,
  -- a day that had not begun was not read
  max(least(end_date, timezone($timezone, fetched_at)::date)) filter (
    where status = 'succeeded'
  ) as read_until,
  max_by(status, fetched_at) as last_status,
  max(fetched_at) as last_asked_at,
  max_by({'is': error}, fetched_at).is as last_error
from extract_windows
group by workspace, profile_id, start_date, end_date
order by workspace, profile_id, start_date, end_date;
