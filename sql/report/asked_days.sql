-- grain: one profile of the report and a period
-- key: span, workspace, profile_id
-- reads: report_scope, extract_windows
-- parameters: $today, $from, $to, $closed_to, $previous_from, $previous_to, $as_of
--
-- The days that have to be read for the report: those of its period, of the comparison period and of the 12 months before
-- the period ('earlier'), up to the day before today, to the end of a period that was over by the clock that decided it
-- ($closed_to), and never after the profile's last day. The period begins with the first day that any job asks of the
-- profile, or that was ever read where that is earlier, as for a job that reads so many days up to today; its days before
-- that are a span of their own ('before'), which is not missing. Where it is over before any profile begins, all of its
-- days are missing. For a profile of no job an open period begins with the day after the first date that was ever read,
-- since a job reads a date more before its first day. 'ever' are all days that a figure over time may be of: from the first
-- date that was read of any profile, or 12 months before the month in which the period begins, to yesterday.
create or replace temp table asked_days as
with first_read as (
  select workspace, profile_id, min(first_day) + 1 as read_from
  from extract_windows
  where status = 'succeeded'
  group by workspace, profile_id
),
days as (
  select least($today::date, $as_of::date) - 1 as yesterday
),
-- least and greatest ignore nulls
profiles as (
  select
    workspace,
    profile_id,
    asked_until,
    yesterday,
    least(yesterday, asked_until) as last_day,
    least(greatest(yesterday, $closed_to::date), asked_until) as ever_to,
    least(min(read_from) over () - 1, date_trunc('month', $from::date) - interval 12 months)::date as ever_from,
    least(greatest(least($to::date, yesterday), $closed_to::date), asked_until) as period_to,
    case when asked_from is not null then least(asked_from, read_from) end as begins_on,
    coalesce($from::date, asked_from, read_from, $to::date, yesterday) as period_from,
    coalesce(min(coalesce(begins_on, period_from)) over () > max(period_to) over (), false) as is_before_all
  from report_scope
  cross join days
  left join first_read using (workspace, profile_id)
),
spans as (
  select
    'period' as span,
    workspace,
    profile_id,
    case when is_before_all then period_from else greatest(period_from, begins_on) end as first_day,
    period_to as last_day
  from profiles
  union all
  select 'before', workspace, profile_id, period_from, least(begins_on - 1, period_to)
  from profiles
  where $from::date is not null
    and not is_before_all
    and begins_on > period_from
    -- nothing was ever asked of a profile that ended before
    and coalesce(begins_on <= asked_until, true)
  union all
  select 'previous', workspace, profile_id, $previous_from::date, least($previous_to::date, last_day)
  from profiles
  union all
  select
    'earlier',
    workspace,
    profile_id,
    (date_trunc('month', $from::date) - interval 12 months)::date,
    least($from::date - 1, last_day)
  from profiles
  union all
  select 'ever', workspace, profile_id, ever_from, ever_to
  from profiles
)
select *
from spans
where first_day <= last_day;
