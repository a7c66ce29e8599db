-- grain: at most one row; none without profiles
-- reads: quality_profiles, quality_day, report_settings
with profiles as (
  select
    count(*) as profiles,
    count(*) filter (where newest_reading is null) as unread,
    count(*) filter (where timezone(report_settings.timezone, newest_reading)::date < quality_day.day - 1) as behind,
    count(*) filter (where gap_days > 0) as with_gaps,
    sum(gap_days)::bigint as gap_days
  from quality_profiles
  cross join quality_day
  cross join report_settings
)
select
  case
    when unread = profiles then 'No profile has been read'
    when unread + behind = profiles then 'No profile was read in the last two days'
    when unread + behind > 0
      then '{late:count} of {profiles|# profile|# profiles} {late|was|were} not read in the last two days'
    when with_gaps > 0 then '{with_gaps:count} {with_gaps|profile has|profiles have} gaps: {gap_days:count} {gap_days|day was|days were} not read'
    else '{profiles|The profile is|All # profiles are} up to date, without gaps'
  end as text,
  profiles,
  unread + behind as late,
  with_gaps,
  gap_days
from profiles
where profiles > 0;
