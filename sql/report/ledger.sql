-- grain: one attempt at a window (report_windows), rejected record or event, or value that could not be read (report_rejects), post of a workspace that was not found (report_missing_posts)
-- key: run_id, workspace, profile_id, start_date, end_date; none; workspace, post_id
-- reads: extract_windows, rejected_records, webhook_events, posts, report_profiles
-- parameters: $timezone, $from, $to, $as_of
--
-- The readings themselves, up to the day of --as-of. The days of a window are days of publication, so the period
-- filters windows but not rejected records. Payloads are left out, since they may contain anything.
create or replace temp table report_windows as
select
  extract_windows.run_id,
  extract_windows.workspace,
  extract_windows.profile_id,
  report_profiles.profile,
  extract_windows.start_date,
  extract_windows.end_date,
  -- a day that had not begun counts as not read
  least(extract_windows.end_date, timezone($timezone::varchar, extract_windows.fetched_at)::date) as read_until,
  extract_windows.status = 'succeeded' as is_read,
  extract_windows.http_status,
  extract_windows.error,
  extract_windows.posts_read,
  extract_windows.requests,
  extract_windows.fetched_at,
  extract_windows.seq
from (
  -- the last day that the answer was to prove; the date after it was asked for, too
  select * replace (coalesce(last_day, greatest(start_date, end_date - 1)) as end_date)
  from extract_windows
) as extract_windows
join report_profiles using (workspace, profile_id)
where extract_windows.start_date <= coalesce($to::date, date 'infinity')
  and extract_windows.end_date >= coalesce($from::date, date '-infinity')
  and (
    $as_of::date is null
    or timezone($timezone::varchar, extract_windows.fetched_at)::date <= $as_of::date
  );

create or replace temp table report_rejects as
with refused as (
  -- the reason of a value names the value
  select
    workspace,
    source,
    field,
    case when field is null then reason else regexp_replace(reason, ',\sgot\s.*$', '', 's') end as reason,
    rejected_at
  from rejected_records
  union all
  select
    coalesce(workspace, workspace_slug),
    'webhook' || coalesce(' ' || type, ''),
    null,
    coalesce(reason, 'no reason is known'),
    received_at
  from webhook_events
  where outcome = 'rejected'
)
select workspace, source, field, reason, rejected_at
from refused
where $as_of::date is null or timezone($timezone::varchar, rejected_at)::date <= $as_of::date;

create or replace temp table report_missing_posts as
select workspace, post_id, missing_since
from posts
where missing_since is not null
  and ($as_of::date is null or timezone($timezone::varchar, missing_since)::date <= $as_of::date);
