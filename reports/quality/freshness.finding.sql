-- grain: at most one row; none without profiles
-- key: none
-- reads: quality_profiles, quality_day, report_settings
-- parameters: none
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
    when unread = profiles then 'No profile was read'
    when unread + behind + with_gaps = 0 and with_windows < profiles
      then case
        when profiles = 1 then 'The profile was read on the last day'
        else 'All {profiles:count} profiles were read on the last day'
      end
    when unread + behind + with_gaps = 0 and profiles = 1 then 'The profile is up to date, without gaps'
    when unread + behind + with_gaps = 0 then 'All {profiles:count} profiles are up to date, without gaps'
    when unread + behind > 0 and unread + behind = profiles then 'No profile was read on the last day'
    when unread + behind = 1 then '1 of {profiles:count} profiles was not read on the last day'
    when unread + behind > 0 then '{late:count} of {profiles:count} profiles were not read on the last day'
    when with_gaps = 1 then '1 profile has gaps: {gap_days:count} days of publication that no reading covers'
    else '{with_gaps:count} profiles have gaps: {gap_days:count} days of publication that no reading covers'
  end as text,
  profiles,
  unread + behind as late,
  with_gaps,
  coalesce(gap_days, 0)::bigint as gap_days
from profiles
where profiles > 0;
