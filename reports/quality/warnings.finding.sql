-- grain: at most one row; none if nothing looks odd
-- reads: report_facts
select
  '{warnings:count} {warnings|warning|warnings} on {profiles_warned:count} {profiles_warned|profile|profiles}' as text,
  *
from report_facts
where warnings > 0;
