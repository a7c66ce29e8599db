-- grain: one week, month or quarter of the report, of all of its profiles or of one (report_times); one of 13 months (report_thirteen_months)
-- key: dimension, start, workspace, profile_id; month
-- reads: asked_days, next_by, report_scope, report_settings, report_times, unread_days
-- parameters: $closed_to
--
-- How much of each group of time a report has. All profiles have an empty workspace and profile_id: a day was read if it
-- was read of each of them. first_day, last_day: of the calendar. days: its days. period_days: those of the period that are
-- over, read_days: those of them that were read. known_days: those up to the end of the period, whether they are of the
-- period or not, that were read. is_whole: all of its days are of the period and were read. is_comparable: as many days
-- as its counterpart in the comparison period has, or both are whole. part, known_part: how much of it there is (in the
-- period, or up to its end), as a word.
create or replace temp table report_times as
with settings as (
  select
    *,
    least(period_to, greatest(today - 1, $closed_to::date)) as end_day,
    coalesce(period_from, ever_from) as begin_day
  from report_settings
  cross join (select min(first_day) as ever_from from asked_days where span = 'ever')
),
starts as (
  select
    dimension,
    unnest(generate_series(date_trunc(dimension, ever_from), date_trunc(dimension, end_day), next_by(dimension)))::date as start
  from settings
  cross join (select unnest(['week', 'month', 'quarter']) as dimension)
),
calendar as (
  select
    dimension,
    start,
    (start + next_by(dimension))::date - 1 as last_day,
    case
      when dimension = 'week'
        then start - (date_trunc('week', period_from)::date - date_trunc('week', previous_from)::date)::integer
      else (start - to_months(previous_months))::date
    end as previous_start,
    (previous_start + next_by(dimension))::date - 1 as previous_last_day
  from starts
  cross join settings
),
-- the days that were not read of some profile, each once
numbered as (
  select
    first_day,
    last_day,
    first_day > 1 + max(last_day) over (order by first_day, last_day rows between unbounded preceding and 1 preceding) as is_apart
  from unread_days
  where span = 'ever'
),
joined as (
  select first_day, last_day, count(*) filter (where is_apart) over (order by first_day, last_day) as stretch from numbered
),
unread as (
  select '' as workspace, '' as profile_id, min(first_day) as first_day, max(last_day) as last_day
  from joined
  group by stretch
  union all
  select workspace, profile_id, first_day, last_day
  from unread_days
  where span = 'ever'
),
subjects as (
  select '' as workspace, '' as profile_id, unnest(['week', 'month', 'quarter']) as dimension
  union all
  select workspace, profile_id, 'month' from report_scope
),
-- of which days are unread, as far as a group has them
gaps as (
  select
    dimension,
    start,
    unread.workspace,
    unread.profile_id,
    sum(least(unread.last_day, calendar.last_day, end_day) - greatest(unread.first_day, start) + 1) as unknown_days,
    sum(
      greatest(least(unread.last_day, calendar.last_day, end_day) - greatest(unread.first_day, start, begin_day) + 1, 0)
    ) as unread_days
  from calendar
  cross join settings
  join unread on unread.first_day <= least(calendar.last_day, end_day) and unread.last_day >= start
  group by all
),
partial as (
  select
    dimension,
    start,
    count(*) filter (where unread_days > 0) as profiles_unread,
    count(*) filter (where unknown_days > 0) as profiles_unknown
  from gaps
  where workspace <> ''
  group by dimension, start
),
counted as (
  select
    calendar.*,
    workspace,
    profile_id,
    last_day - start + 1 as days,
    greatest(least(last_day, end_day) - greatest(start, begin_day) + 1, 0) as period_days,
    least(last_day, end_day) - start + 1 as shown_days,
    period_days - coalesce(unread_days, 0) as read_days,
    shown_days - greatest(ever_from - start, 0) - coalesce(unknown_days, 0) as known_days,
    -- a profile is a part of itself by days alone
    case when workspace = '' then profiles - coalesce(profiles_unread, 0) end as profiles_read,
    case when workspace = '' then profiles - coalesce(profiles_unknown, 0) end as profiles_known
  from calendar
  join subjects using (dimension)
  cross join settings
  cross join (select count(*) as profiles from report_scope)
  left join gaps using (dimension, start, workspace, profile_id)
  left join partial using (dimension, start)
)
select
  dimension,
  start,
  workspace,
  profile_id,
  last_day,
  days,
  period_days,
  read_days,
  known_days,
  read_days = days as is_whole,
  period_days > 0
    and coalesce(
      (is_whole and previous_start >= previous_from and previous_last_day <= previous_to)
        or period_days = least(previous_last_day, previous_to) - greatest(previous_start, previous_from) + 1,
      false
    ) as is_comparable,
  case when period_days > 0 then part_of_time(read_days, days, profiles_read, profiles) end as part,
  part_of_time(known_days, days, profiles_known, profiles) as known_part,
  known_days = shown_days as is_read,
  period_days > 0 as is_period,
  start >= begin_day as is_of_period_alone
from counted
cross join settings
cross join (select count(*) as profiles from report_scope);

-- The 13 months that end with the last one of the period, to its end. is_period: the report is about days of the month.
-- is_of_period_alone: all of its days that are shown are of the period. is_read: all days that are over were read of every
-- profile.
create or replace temp view report_thirteen_months as
with ends as (
  select coalesce(period_to, today - 1) as end_day, date_trunc('month', end_day)::date as last_month from report_settings
)
select
  month,
  least((month + interval 1 month)::date - 1, end_day) as last_day,
  coalesce(is_period, false) as is_period,
  coalesce(is_of_period_alone, false) as is_of_period_alone,
  coalesce(is_read, false) as is_read,
  coalesce(known_part, 'not read') as known_part,
  coalesce(known_days < days, true) as is_part
from (
  select unnest(generate_series(last_month - interval 12 months, last_month, interval 1 month))::date as month, end_day
  from ends
)
left join report_times on dimension = 'month' and start = month and workspace = ''
order by month;
