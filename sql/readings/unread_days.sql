-- grain: a range of days of a profile that should have been read but were not (unread_days)
-- key: span, workspace, profile_id, first_day
-- reads: asked_days, extract_windows
-- parameters: $timezone
--
-- Nothing else decides which days were read. Requests ask for dates, and the service does not say of which
-- zone: the instants of a day in $timezone may lie on the date before, the same date and the date after. A day was read
-- if an answer that proves each of these dates (extract_windows.first_day to last_day) came after the day had ended in $timezone. begun_days is the number of days in the
-- range whose own date was read, but before the day was over. asked_days has the first and last day that should have been
-- read, by span and profile.
create or replace temp table unread_days as
with answers as (
  select
    workspace,
    profile_id,
    first_day as start_date,
    last_day as end_date,
    max(timezone($timezone::varchar, fetched_at)::date) as read_on
  from extract_windows
  where status = 'succeeded'
  group by workspace, profile_id, first_day, last_day
),
offsets as (
  select unnest([-1, 0, 1]) as date_offset
),
-- the days whose date before (-1), same date (0) or date after (1) an answer read after they had ended
answered as (
  select
    workspace,
    profile_id,
    date_offset,
    start_date - date_offset as start_day,
    max(least(end_date - date_offset, read_on - 1)) as read_until
  from answers
  cross join offsets
  group by all
),
-- the requested days lie between two additional answers, one that ends before them and one that begins after them
bounded as (
  select span, workspace, profile_id, asked.first_day, asked.last_day, date_offset, start_day, read_until
  from asked_days as asked
  join answered using (workspace, profile_id)
  union all
  select
    span,
    workspace,
    profile_id,
    first_day,
    last_day,
    date_offset,
    unnest([first_day, last_day + 1]) as start_day,
    unnest([first_day - 1, last_day + 1]) as read_until
  from asked_days
  cross join offsets
),
-- compares the beginning of each answer with the end of all answers that began before it
ordered as (
  select
    *,
    max(read_until) over (
      partition by span, workspace, profile_id, date_offset
      order by start_day, read_until
      rows between unbounded preceding and 1 preceding
    ) as read_before
  from bounded
),
gaps as (
  select distinct
    span,
    workspace,
    profile_id,
    greatest(read_before + 1, first_day) as first_day,
    least(start_day - 1, last_day) as last_day
  from ordered
  where start_day > read_before + 1
),
-- A day is unread if it is in a gap of any of the three dates. Equal gaps would have no order here.
numbered as (
  select
    *,
    first_day > 1 + max(last_day) over (
      partition by span, workspace, profile_id
      order by first_day, last_day
      rows between unbounded preceding and 1 preceding
    ) as is_apart
  from gaps
  where first_day <= last_day
),
joined as (
  select
    *,
    count(*) filter (where is_apart) over (
      partition by span, workspace, profile_id
      order by first_day, last_day
      rows between unbounded preceding and current row
    ) as stretch
  from numbered
),
unread as (
  select span, workspace, profile_id, min(first_day) as first_day, max(last_day) as last_day
  from joined
  group by span, workspace, profile_id, stretch
)
select
  unread.span,
  unread.workspace,
  unread.profile_id,
  unread.first_day,
  unread.last_day,
  count(distinct answers.read_on) as begun_days
from unread
left join answers
  on answers.workspace = unread.workspace
  and answers.profile_id = unread.profile_id
  and answers.read_on between unread.first_day and unread.last_day
  and answers.read_on between answers.start_date and answers.end_date
group by all;
