-- grain: at most one row; none if nothing looks odd
-- reads: quality_facts
select
  '{warnings:count} {warnings|warning|warnings} on {profiles:count} {profiles|profile|profiles}' as text,
  warnings,
  profiles_warned as profiles
from quality_facts
where warnings > 0;
