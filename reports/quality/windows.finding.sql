-- grain: at most one row; none without an open window
-- reads: report_facts
select
  '{open_windows:count} date {open_windows|range|ranges} of {profiles_with_windows:count} {profiles_with_windows|profile|profiles} failed, {open_days:count} {open_days|day|days} in all' as text,
  *
from report_facts
where open_windows > 0;
