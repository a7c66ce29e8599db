-- grain: a finding about loaded data that look wrong
-- key: workspace, profile_id, kind, metric, start_date, end_date
-- reads: data_warnings, metrics
-- parameters: $workspaces
set variable data_warnings_of = $workspaces::varchar[];

select
  kind,
  workspace,
  profile_id,
  profile,
  metric,
  noun as metric_name,
  start_date,
  end_date,
  before,
  after,
  posts,
  other_profiles,
  warning_text(kind, metric, other_profiles) as text,
  warning_days(start_date, end_date) as until,
  warning_fall(kind, before, after) as fallen_by,
  strftime(seen_at, '%Y-%m-%dT%H:%M:%S.%gZ') as seen_at
from data_warnings
left join metrics using (metric)
where workspace in (select unnest($workspaces::varchar[]))
order by workspace, profile, profile_id, kind, metric, end_date desc, start_date desc;
