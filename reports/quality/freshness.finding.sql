-- grain: at most one row; none without profiles
-- reads: quality_profiles, quality_day, report_settings
with profiles as (
  select
    count(*) as profiles,
    count(*) filter (where newest_reading is null) as unread,
    count(*) filter (where quality_day.day > timezone(report_settings.timezone, newest_reading)::date) as behind,
    count(*) filter (where gap_days > 0) as with_gaps,
    count(gap_days) as with_windows,
    sum(gap_days) as gap_days
  from quality_profiles
  cross join quality_day
  cross join report_settings
)
select
  case
    when unread = profiles then 'No profile has been read'
    when unread + behind = profiles then 'No profile was read on the last day'
    when unread + behind > 0 then '{late:count} of {profiles:count} profiles {late|was|were} not read on the last day'
    when with_gaps > 0 then '{with_gaps:count} {with_gaps|profile has|profiles have} gaps: {gap_days:count} {gap_days|day was|days were} not read'
    when profiles = 1 and with_windows < profiles then 'The profile is up to date'
    when profiles = 1 then 'The profile is up to date, without gaps'
    when with_windows < profiles then 'All {profiles:count} profiles are up to date'
    else 'All {profiles:count} profiles are up to date, without gaps'
  end as text,
  profiles,
  unread + behind as late,
  with_gaps,
  coalesce(gap_days, 0)::bigint as gap_days
from profiles
where profiles > 0;
