-- grain: a date range whose newest answer failed, or proves less than it was asked for, and that has days not read since (failed_windows)
-- key: workspace, profile_id, start_date, end_date
-- reads: extract_windows, profiles
-- parameters: $timezone, $today, $from, $to (null for no bound)
--
-- Of a profile whose last day is over (profiles.until), a day that was read after its end is not open again because a
-- later request for it failed.
create or replace temp table failed_windows as
with windows as (
  -- the last day that the answer was to prove; the date after it was asked for, too
  select * replace (coalesce(last_day, greatest(start_date, end_date - 1)) as end_date)
  from extract_windows
),
newest as (
  select *
  from windows
  where start_date <= coalesce($to::date, date 'infinity')
    and end_date >= coalesce($from::date, date '-infinity')
  qualify row_number() over (
    partition by workspace, profile_id, start_date, end_date
    order by fetched_at desc, run_id desc, seq desc
  ) = 1
),
failed_days as (
  select
    workspace,
    profile_id,
    start_date,
    end_date,
    fetched_at,
    coalesce(until < $today::date, false) as has_ended,
    -- least and greatest ignore nulls
    unnest(generate_series(
      greatest(start_date, $from::date),
      least(end_date, $today::date, $to::date, until),
      interval 1 day
    ))::date as day
  from newest
  left join profiles using (workspace, profile_id)
  where status <> 'succeeded'
),
open_days as (
  select failed.workspace, failed.profile_id, failed.start_date, failed.end_date, count(*) as open_days
  from failed_days as failed
  where not exists (
    select 1
    from extract_windows as later
    where later.workspace = failed.workspace
      and later.profile_id = failed.profile_id
      and later.status = 'succeeded'
      and (failed.has_ended or later.fetched_at > failed.fetched_at)
      and failed.day between later.first_day
        and least(later.last_day, timezone($timezone::varchar, later.fetched_at)::date - failed.has_ended::integer)
  )
  group by all
)
select newest.*, open_days.open_days
from newest
join open_days using (workspace, profile_id, start_date, end_date);
