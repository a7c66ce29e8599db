-- grain: one profile that was not read, or stretch of days of the period that was not read of a profile
-- key: workspace, profile_id, first_day
-- reads: report_scope, extract_windows, linkedin_posts, report_refusals
-- parameters: $timezone, $from, $to, $as_of
--
-- A day counts as read when a window over it was answered after the day had begun. An open period is looked at from
-- the profile's first day that was read to the day of the newest reading of all. A profile of which the newest run
-- that asked for it read nothing, or whose workspace refused a later run as a whole, is not read since its newest
-- reading; since is null for one that never was, and both days are null for either.
create or replace temp table report_unread as
with tries as (
  select
    workspace,
    profile_id,
    max(fetched_at) filter (where status = 'succeeded') as read_at,
    max(fetched_at) as tried_at
  from extract_windows
  group by workspace, profile_id, run_id
),
attempts as (
  select
    workspace,
    profile_id,
    max(read_at) as read_at,
    max(tried_at) filter (where read_at is null) as failed_at
  from tries
  group by workspace, profile_id
),
posts as (
  select workspace, profile_id, max(last_seen_at) as read_at
  from linkedin_posts
  group by workspace, profile_id
),
refusals as (
  select workspace, max(refused_at) as refused_at
  from report_refusals
  where $as_of::date is null or timezone($timezone::varchar, refused_at)::date <= $as_of::date
  group by workspace
),
profiles_read as (
  select
    report_scope.workspace,
    report_scope.profile_id,
    report_scope.profile,
    greatest(attempts.read_at, posts.read_at) as read_at,
    greatest(attempts.failed_at, refusals.refused_at) as failed_at
  from report_scope
  left join attempts using (workspace, profile_id)
  left join posts using (workspace, profile_id)
  left join refusals using (workspace)
),
windows as (
  select
    workspace,
    profile_id,
    start_date,
    least(end_date, timezone($timezone::varchar, fetched_at)::date) as read_until
  from extract_windows
  where status = 'succeeded'
),
newest_day as (
  select timezone($timezone::varchar, max(read_at))::date as day
  from profiles_read
),
-- days before and after all windows are between two more windows
edges as (
  select
    workspace,
    profile_id,
    unnest([coalesce($from::date, min(start_date)), coalesce($to::date, any_value(newest_day.day)) + 1]) as start_date
  from windows
  cross join newest_day
  group by workspace, profile_id
),
bounded as (
  select workspace, profile_id, start_date, read_until
  from windows
  union all
  select workspace, profile_id, start_date, start_date - 1
  from edges
),
-- each window's beginning against the end of all that began before it
ordered as (
  select
    *,
    max(read_until) over (
      partition by workspace, profile_id
      order by start_date, read_until
      rows between unbounded preceding and 1 preceding
    ) as read_before
  from bounded
),
gaps as (
  select
    workspace,
    profile_id,
    greatest(read_before + 1, $from::date) as first_day,
    least(start_date - 1, $to::date) as last_day
  from ordered
  where start_date > read_before + 1
)
select workspace, profile_id, profile, null::date as first_day, null::date as last_day, read_at as since
from profiles_read
where read_at is null or failed_at > read_at
union all
select gaps.workspace, gaps.profile_id, profiles_read.profile, gaps.first_day, gaps.last_day, null
from gaps
join profiles_read using (workspace, profile_id)
where gaps.first_day <= gaps.last_day;
