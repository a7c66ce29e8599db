-- grain: one sentence on profiles, or on days of the period, that were not read; five on days at most, and how many days there are beside them
-- key: text, first_day, last_day, since
-- reads: report_unread, report_scope, report_settings
--
-- A profile has its workspace beside it where another of the scope has its name.
with shared as (
  select workspace, profile_id, count(*) over (partition by profile) > 1 as is_shared
  from report_scope
),
named as (
  select
    report_unread.* replace (
      case
        when shared.is_shared then report_unread.workspace || '/' || report_unread.profile
        else report_unread.profile
      end as profile
    ),
    timezone(timezone, since)::date as since_day
  from report_unread
  join shared using (workspace, profile_id)
  cross join report_settings
),
-- those that were read at all
scope as (
  select count(*) as profiles
  from report_scope
  anti join (from report_unread where first_day is null and since is null) using (workspace, profile_id)
),
profiles as (
  select since_day, string_agg(profile, ', ' order by profile) as profiles
  from named
  where first_day is null
  group by since_day
),
days as (
  select
    first_day,
    last_day,
    string_agg(profile, ', ' order by profile) as profiles,
    count(*) = any_value(scope.profiles) as is_all,
    row_number() over (order by first_day, last_day) as place
  from named
  cross join scope
  where first_day is not null
  group by first_day, last_day
),
sentences as (
  select
    1 as position,
    case when since_day is null then 'Never read: {profiles:text}' else 'Not read since {since_day:date}: {profiles:text}' end as text,
    profiles,
    null::date as first_day,
    null::date as last_day,
    since_day,
    null::bigint as n
  from profiles
  union all
  select
    2,
    case
      when first_day = last_day and is_all then 'Not read: {first_day:date}'
      when first_day = last_day then 'Not read: {first_day:date} of {profiles:text}'
      when is_all then 'Not read: {first_day:date} to {last_day:date}'
      else 'Not read: {first_day:date} to {last_day:date} of {profiles:text}'
    end,
    profiles,
    first_day,
    last_day,
    null,
    null
  from days
  where place <= 5
  union all
  select
    3,
    '{n:count} more date {n|range|ranges} not read',
    null,
    null,
    null,
    null,
    count(*)
  from days
  where place > 5
  having count(*) > 0
)
select text, profiles, first_day, last_day, since_day, n
from sentences
order by position, since_day nulls first, first_day, last_day;
