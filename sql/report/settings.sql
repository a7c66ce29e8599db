-- grain: one row: the parameters of the report
-- reads: linkedin_posts, extract_windows, report_coverage, unread_days
-- parameters: $timezone, $currency, $locale, $cpm_low, $cpm_high, $from, $to, $previous_from, $previous_to, $period_months, $compare, $previous_months, $so_far_months, $cpm, $as_of, $today, $removed
create or replace temp table report_settings as
with newest_reading as (
  select max(read_at) as data_as_of
  from (
    select last_seen_at as read_at from linkedin_posts
    union all
    -- an answer without posts is a reading too
    select fetched_at from extract_windows where status = 'succeeded'
  )
),
readings as (
  select
    -- without profiles nothing is missing
    coalesce(bool_or(is_begun) filter (where not has_ended), true) as is_begun,
    coalesce(bool_and(is_read) and bool_or(is_begun) filter (where not has_ended), true) as is_complete,
    max(begins_on) as latest_beginning,
    coalesce(bool_and(is_comparable), false) as is_comparable,
    count(*) filter (where is_comparable) as profiles_comparable
  from report_coverage
),
-- the first of the days before the period that were read without a gap, a whole month or several before it
earlier as (
  select
    coalesce(max(last_day) < (from_day - interval 12 months)::date, from_day is not null) as is_year_read,
    case
      when is_year_read then (from_day - interval 12 months)::date
      else date_trunc('month', max(last_day) + interval 1 month)::date
    end as earlier_from
  from (select $from::date as from_day)
  left join unread_days on span = 'earlier'
  group by from_day
)
select
  $timezone::varchar as timezone,
  $currency::varchar as currency,
  $locale::varchar as locale,
  $cpm_low::double as cpm_low,
  $cpm_high::double as cpm_high,
  $from::date as period_from,
  $to::date as period_to,
  $from::date is not null or $to::date is not null as has_period,
  -- null when the period is not made of whole months
  $period_months::integer as period_months,
  -- a period that was not completely read for any profile cannot be compared with
  case when profiles_comparable > 0 then $previous_from::date end as previous_from,
  case when profiles_comparable > 0 then $previous_to::date end as previous_to,
  -- the same whether it was read or not
  $previous_from::date as calendar_previous_from,
  $previous_to::date as calendar_previous_to,
  -- the period that is compared with: 'previous', 'year' or 'none'
  $compare::varchar as compare,
  -- the same as a phrase
  case
    when $compare::varchar = 'year' then 'the year before'
    when $so_far_months::integer = 12 then 'the same days of the year before'
    when $so_far_months::integer = 3 then 'the same days of the quarter before'
    when $so_far_months::integer = 1 then 'the same days of the month before'
    when $period_months::integer = 12 then 'the year before'
    when $period_months::integer = 1 then 'the month before'
    else 'the period before'
  end as comparison,
  -- the number of months by which the previous period is shifted; null if there is none, or if the two are not whole
  -- months
  case when profiles_comparable > 0 then $previous_months::integer end as previous_months,
  -- true if any day of the period was read, and true if every profile was read for all days that are over
  is_begun,
  is_complete,
  -- the latest of the first days that are asked of a profile, where that is later than the period's
  latest_beginning,
  -- true if every profile was read in both periods; otherwise totals have no previous figures, and the profiles that
  -- were read in both are compared on their own
  is_comparable,
  profiles_comparable,
  case
    when is_comparable then ''
    else ' {profiles_comparable|for the one profile|among the # profiles} read in both periods'
  end as among,
  -- groups of too few posts are compared over the 12 months up to the end of the period, as far as they were read
  case
    when earlier_from < $from::date
      then nullif(least(greatest(earlier_from, ($to::date + 1 - interval 12 months)::date), $from::date), $from::date)
  end as compared_from,
  is_year_read and latest_beginning is null as is_year_read,
  -- equal_age.sql sets it
  false as is_equal_age,
  $cpm::double as cpm,
  $as_of::date as as_of,
  least($today::date, $as_of::date) as today,
  $removed::varchar as removed,
  -- the same as a phrase
  included($removed::varchar) as inclusion,
  data_as_of
from newest_reading
cross join readings
cross join earlier;
