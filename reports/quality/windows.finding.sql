-- grain: at most one row; none without an open window
-- reads: quality_facts
select
  '{windows:count} date {windows|range|ranges} of {profiles:count} {profiles|profile|profiles} failed, {days:count} {days|day|days} in all' as text,
  open_windows as windows,
  open_days as days,
  profiles_with_windows as profiles
from quality_facts
where open_windows > 0;
