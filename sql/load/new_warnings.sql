-- grain: a finding that a response of this load brought, and that was not there before
-- key: workspace, profile_id, kind, metric, start_date, end_date
-- reads: data_warnings, known_warnings, new_responses
-- parameters: none
select
  kind,
  workspace,
  profile_id,
  profile,
  metric,
  start_date,
  end_date,
  before,
  after,
  posts,
  strftime(seen_at, '%Y-%m-%dT%H:%M:%S.%gZ') as seen_at
from data_warnings as found
where seen_at in (select fetched_at from new_responses)
  and workspace in (select workspace from new_responses)
  and not exists (
    select 1
    from known_warnings as known
    where (known.workspace, known.profile_id, known.kind, known.metric, known.start_date, known.end_date)
      is not distinct from (
        found.workspace, found.profile_id, found.kind, found.metric, found.start_date, found.end_date
      )
  )
order by workspace, profile, profile_id, kind, metric, end_date desc, start_date desc;
