-- grain: one LinkedIn post (report_found_posts); one row (report_settings)
-- key: workspace, linkedin_post_id; none
-- reads: report_found_posts, report_settings
--
-- Makes all posts those of the report, removed or not. A post without a time may be of the period. `report` is the session's
-- database, of which unfiltered.sql hides the settings.
create or replace temp table report_found_posts as
select candidates.* replace (
  published_local is null
    or published_local::date
      between coalesce(period_from, date '-infinity') and coalesce(period_to, date 'infinity') as is_in_period,
  true as is_shown
)
from report_found_posts as candidates
cross join report.report_settings;

create or replace temp table report_settings as
select * replace ('include' as removed)
from report.report_settings;
