-- grain: one row (explained_settings, report_settings); one LinkedIn post that passes the filters (explained_candidates)
-- key: none; workspace, linkedin_post_id
-- reads: report_candidates, report_settings
--
-- Keeps what the report rests on, before candidates.sql runs again without filters and without a period. posts.sql then
-- restores it.
create or replace temp table explained_settings as
from report_settings;

create or replace temp table explained_candidates as
from report_candidates;

create or replace temp table report_settings as
select * replace (null::date as period_from, null::date as period_to)
from explained_settings;
