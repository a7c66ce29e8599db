-- grain: one row
-- reads: report_settings
--
-- Hides the session's settings behind those of a report without a period, for which candidates.sql then runs without filters.
create or replace temp table report_settings as
select * replace (null::date as period_from, null::date as period_to)
from report_settings;
