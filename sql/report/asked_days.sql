-- grain: one profile of the report and a period
-- key: span, workspace, profile_id
-- reads: report_scope, extract_windows
-- parameters: $today, $from, $to, $closed_to, $previous_from, $previous_to, $as_of
--
-- The days that have to be read for the report: those of its period, of the comparison period and of the 12 months before
-- the period ('earlier'), up to the day before today, and to the end of a period that was over by the clock that decided it ($closed_to). An open period begins with the
-- first day that any job asks of the profile; for a profile of no job, with the day after the first date that was ever read,
-- since a job reads a date more before its first day.
create or replace temp table asked_days as
with first_read as (
  select workspace, profile_id, min(first_day) + 1 as first_day
  from extract_windows
  where status = 'succeeded'
  group by workspace, profile_id
),
days as (
  select least($today::date, $as_of::date) - 1 as yesterday
),
spans as (
  select
    'period' as span,
    workspace,
    profile_id,
    coalesce($from::date, asked_from, first_read.first_day, $to::date, yesterday) as first_day,
    greatest(least($to::date, yesterday), $closed_to::date) as last_day
  from report_scope
  cross join days
  left join first_read using (workspace, profile_id)
  union all
  select 'previous', workspace, profile_id, $previous_from::date, least($previous_to::date, yesterday)
  from report_scope
  cross join days
  union all
  select 'earlier', workspace, profile_id, (date_trunc('month', $from::date) - interval 12 months)::date, least($from::date - 1, yesterday)
  from report_scope
  cross join days
)
select *
from spans
where first_day <= last_day;
