-- grain: at most one row; none without profiles
-- reads: report_facts
select
  case
    when profiles_unread = profiles then 'No profile has been read'
    when late = profiles then 'No profile was read in the last two days'
    when late > 0 then '{late:count} of {profiles|# profile|# profiles} {late|was|were} not read in the last two days'
    when with_gaps > 0 then '{with_gaps:count} {with_gaps|profile has|profiles have} gaps: {gap_days:count} {gap_days|day was|days were} not read'
    when open_windows > 0 then '{profiles|The profile is|Each of # profiles is} up to date, but {open_windows:count} failed date {open_windows|range needs|ranges need} a retry'
    else '{profiles|The profile is|Each of # profiles is} up to date, without gaps'
  end as text,
  *
from (select *, profiles_unread + profiles_behind as late, profiles_with_gaps as with_gaps from report_facts)
where profiles > 0;
