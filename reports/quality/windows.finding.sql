-- grain: at most one row; none without an open window
-- reads: quality_open_windows
with open as (
  select count(*) as windows, sum(open_days) as days, count(distinct (workspace, profile_id)) as profiles
  from quality_open_windows
)
select
  '{windows:count} date {windows|range|ranges} of {profiles:count} {profiles|profile|profiles} failed, {days:count} {days|day|days} in all'
    as text,
  windows,
  days,
  profiles
from open
where windows > 0;
