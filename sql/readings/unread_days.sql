-- grain: a range of days of a profile that should have been read but were not (unread_days)
-- key: span, workspace, profile_id, first_day
-- reads: asked_days, extract_windows
-- parameters: $timezone
--
-- This is the only place that decides which days were read. A day was read if an answer that covers it came after the
-- day had ended in $timezone. A day whose answers all came before its end counts as not read; begun_days is the number
-- of such days in the range. asked_days has the first and last day that should have been read, by span and profile.
create or replace temp table unread_days as
with answers as (
  select
    workspace,
    profile_id,
    start_date,
    max(least(end_date, timezone($timezone::varchar, fetched_at)::date - 1)) as read_until,
    max(least(end_date, timezone($timezone::varchar, fetched_at)::date)) as begun_until
  from extract_windows
  where status = 'succeeded'
  group by workspace, profile_id, start_date
),
-- the requested days lie between two additional answers, one that ends before them and one that begins after them
bounded as (
  select span, workspace, profile_id, asked.first_day, asked.last_day, start_date, read_until
  from asked_days as asked
  join answers using (workspace, profile_id)
  union all
  select
    span,
    workspace,
    profile_id,
    first_day,
    last_day,
    unnest([first_day, last_day + 1]) as start_date,
    unnest([first_day - 1, last_day + 1]) as read_until
  from asked_days
),
-- compares the beginning of each answer with the end of all answers that began before it
ordered as (
  select
    *,
    max(read_until) over (
      partition by span, workspace, profile_id
      order by start_date, read_until
      rows between unbounded preceding and 1 preceding
    ) as read_before
  from bounded
),
gaps as (
  select
    span,
    workspace,
    profile_id,
    greatest(read_before + 1, first_day) as first_day,
    least(start_date - 1, last_day) as last_day
  from ordered
  where start_date > read_before + 1
)
select
  gaps.span,
  gaps.workspace,
  gaps.profile_id,
  gaps.first_day,
  gaps.last_day,
  count(distinct answers.begun_until) as begun_days
from gaps
left join answers
  on answers.workspace = gaps.workspace
  and answers.profile_id = gaps.profile_id
  and answers.begun_until between gaps.first_day and gaps.last_day
where gaps.first_day <= gaps.last_day
group by all;
