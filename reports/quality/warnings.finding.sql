-- grain: at most one row; none if nothing looks odd
-- reads: report_warnings
with odd as (
  select count(*) as warnings, count(distinct (workspace, profile_id)) as profiles
  from report_warnings
)
select
  '{warnings:count} {warnings|warning|warnings} on {profiles:count} {profiles|profile|profiles}' as text,
  warnings,
  profiles
from odd
where warnings > 0;
