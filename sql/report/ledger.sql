-- grain: one profile (report_profiles), attempt at a window (report_windows), record or event that was not taken (report_rejects), run (report_runs), post of a workspace that was not found (report_missing_posts)
-- key: workspace, profile_id; run_id, workspace, profile_id, start_date, end_date; none; run_id; workspace, post_id
-- reads: profiles, linkedin_posts, extract_windows, rejected_records, webhook_events, runs, run_parts, posts, report_profiles
-- parameters: $timezone, $from, $to, $as_of, $workspaces, $profiles
--
-- What is known of the reading itself, after those filters that have a meaning for it, and no later than the
-- day of --as-of. A window's days are days of publication, so a period leaves out the windows beside it; what
-- was not taken, and runs, have no such days. Payloads stay out: nothing can tell what stands in them.
create or replace temp table report_profiles as
with known as (
  select workspace, profile_id from profiles
  union
  select workspace, profile_id from linkedin_posts
  union
  select workspace, profile_id from extract_windows
)
select known.workspace, known.profile_id, coalesce(profiles.name, known.profile_id) as profile, profiles.cpm
from known
left join profiles using (workspace, profile_id)
where (len($workspaces::varchar[]) = 0 or list_contains($workspaces::varchar[], known.workspace))
  and (
    len($profiles::varchar[]) = 0
    or list_has_any($profiles::varchar[], [known.profile_id, profiles.name])
  );

create or replace temp table report_windows as
select
  extract_windows.run_id,
  extract_windows.workspace,
  extract_windows.profile_id,
  report_profiles.profile,
  extract_windows.start_date,
  extract_windows.end_date,
  -- a day that had not begun was not read
  least(extract_windows.end_date, timezone($timezone::varchar, extract_windows.fetched_at)::date) as read_until,
  extract_windows.status = 'succeeded' as is_read,
  extract_windows.http_status,
  extract_windows.error,
  extract_windows.posts_read,
  extract_windows.requests,
  extract_windows.fetched_at,
  extract_windows.seq
from extract_windows
join report_profiles using (workspace, profile_id)
where extract_windows.start_date <= coalesce($to::date, date 'infinity')
  and extract_windows.end_date >= coalesce($from::date, date '-infinity')
  and (
    $as_of::date is null
    or timezone($timezone::varchar, extract_windows.fetched_at)::date <= $as_of::date
  );

create or replace temp table report_rejects as
with refused as (
  select workspace, source, reason, rejected_at
  from rejected_records
  union all
  select
    coalesce(workspace, workspace_slug),
    'webhook' || coalesce(' ' || type, ''),
    coalesce(reason, 'no reason is known'),
    received_at
  from webhook_events
  where outcome = 'rejected'
),
-- of a source without a profile nothing says to whom it belongs: a report on some profiles has none
of_profiles as (
  select distinct workspace, workspace || ' GET /analytics/linkedin/' || profile_id || '/posts' as source
  from report_profiles
)
select workspace, source, reason, rejected_at
from refused
where (len($workspaces::varchar[]) = 0 or list_contains($workspaces::varchar[], workspace))
  and (len($profiles::varchar[]) = 0 or (workspace, source) in (from of_profiles))
  and ($as_of::date is null or timezone($timezone::varchar, rejected_at)::date <= $as_of::date);

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
where (
    len($workspaces::varchar[]) = 0
    or run_id in (
      select run_parts.run_id from run_parts where list_contains($workspaces::varchar[], run_parts.workspace)
    )
  )
  and ($as_of::date is null or timezone($timezone::varchar, started_at)::date <= $as_of::date);

create or replace temp table report_missing_posts as
select workspace, post_id, missing_since
from posts
where missing_since is not null
  and (len($workspaces::varchar[]) = 0 or list_contains($workspaces::varchar[], workspace))
  and ($as_of::date is null or timezone($timezone::varchar, missing_since)::date <= $as_of::date);
