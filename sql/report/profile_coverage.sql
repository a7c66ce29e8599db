-- grain: one profile of the report
-- key: workspace, profile_id
-- reads: report_scope, extract_windows, report_refusals, asked_days, unread_days
-- parameters: $timezone, $today, $from, $to, $previous_from, $as_of
--
-- The extent to which the report's profiles were read. is_read: all days of the period that are over were read.
-- is_begun: some day of it was read. begins_on: the first day that is asked of the profile, where that is later than the
-- period's; the days before it are not missing, but the period is a part and is not compared. read_from: the first day that was ever read
-- whole, null if none was. is_read_before: all days of
-- the comparison period were read. has_ended: the last day of the profile, asked_until, is before the period. has_failed:
-- the newest run that asked for the profile read nothing of it, or its workspace refused a later run as a whole; a profile
-- whose last day is over has not failed.
create or replace temp table report_coverage as
with answers as (
  select
    *,
    first_day <= coalesce($to::date, date 'infinity')
      and least(last_day, timezone($timezone::varchar, fetched_at)::date) >= coalesce($from::date, date '-infinity')
      as is_of_period
  from extract_windows
),
tries as (
  select
    workspace,
    profile_id,
    max(fetched_at) filter (where status = 'succeeded') as read_at,
    max(fetched_at) as tried_at,
    coalesce(bool_or(is_of_period) filter (where status = 'succeeded'), false) as is_begun
  from answers
  group by workspace, profile_id, run_id
),
attempts as (
  select
    workspace,
    profile_id,
    max(read_at) as read_at,
    max(tried_at) filter (where read_at is null) as failed_at,
    bool_or(is_begun) as is_begun
  from tries
  group by workspace, profile_id
),
refusals as (
  select workspace, max(refused_at) as refused_at
  from report_refusals
  where $as_of::date is null or timezone($timezone::varchar, refused_at)::date <= $as_of::date
  group by workspace
),
unread as (
  select
    workspace,
    profile_id,
    bool_or(span = 'period') as is_of_period,
    bool_or(span = 'previous') as is_of_previous,
    sum(last_day - first_day + 1 - begun_days) filter (where span = 'period') as days
  from unread_days
  group by workspace, profile_id
),
-- one that begins after the period has no day of it
beginnings as (
  select asked_days.workspace, asked_days.profile_id, asked_days.first_day as begins_on
  from asked_days
  semi join (from unread_days where span = 'before') as before using (workspace, profile_id)
  where span = 'period'
),
-- nothing was read of the first of these days, since the date before it was not asked for
first_days as (
  select unread_days.workspace, unread_days.profile_id, min(unread_days.last_day) + 1 as read_from
  from unread_days
  join asked_days using (workspace, profile_id, span)
  where span = 'ever'
  group by unread_days.workspace, unread_days.profile_id
  having read_from <= any_value(asked_days.last_day)
),
-- a date beside the period may have been read for the day next to it
untouched as (
  select asked_days.workspace, asked_days.profile_id
  from asked_days
  join unread using (workspace, profile_id)
  where span = 'period' and unread.days = asked_days.last_day - asked_days.first_day + 1
)
select
  scope.workspace,
  scope.profile_id,
  case
    when count(*) over (partition by scope.profile) > 1 then scope.workspace || '/' || scope.profile
    else scope.profile
  end as profile,
  read_at,
  coalesce(greatest(failed_at, refused_at) > read_at, false) and not coalesce(asked_until < $today::date, false) as has_failed,
  asked_until,
  coalesce(is_begun, false) and untouched.profile_id is null as is_begun,
  begins_on,
  read_from,
  not coalesce(unread.is_of_period, false) as is_read,
  $previous_from::date is not null and not coalesce(unread.is_of_previous, false) as is_read_before,
  is_read and is_read_before and begins_on is null as is_comparable,
  coalesce(asked_until < $from::date, false) as has_ended
from report_scope as scope
left join attempts using (workspace, profile_id)
left join refusals using (workspace)
left join unread using (workspace, profile_id)
left join untouched using (workspace, profile_id)
left join beginnings using (workspace, profile_id)
left join first_days using (workspace, profile_id);
