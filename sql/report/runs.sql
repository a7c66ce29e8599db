-- grain: one profile (report_profiles), one run up to the day of --as-of (report_runs)
-- key: workspace, profile_id; run_id
-- reads: report_scope, profiles, runs
-- parameters: $timezone, $as_of
create or replace temp table report_profiles as
select report_scope.workspace, report_scope.profile_id, report_scope.profile, profiles.cpm
from report_scope
left join profiles using (workspace, profile_id);

create or replace temp table report_runs as
select
  run_id,
  job,
  started_at,
  finished_at,
  status,
  requests,
  retries,
  throttled,
  posts_read,
  rejected
from runs
where $as_of::date is null or timezone($timezone::varchar, started_at)::date <= $as_of::date;
