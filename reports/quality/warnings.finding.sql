-- grain: at most one row; none where nothing looks odd
-- key: none
-- reads: report_warnings
-- parameters: none
with odd as (
  select count(*) as warnings, count(distinct (workspace, profile_id)) as profiles
  from report_warnings
)
select
  case when warnings = 1 then 'One thing that was read looks odd' else '{warnings:count} things that were read look odd' end
    || case when profiles = 1 then ', of 1 profile' else ', of {profiles:count} profiles' end as text,
  warnings,
  profiles
from odd
where warnings > 0;
