-- grain: one row: what the report was asked for
-- reads: linkedin_posts, extract_windows
-- parameters: $timezone, $currency, $locale, $cpm_low, $cpm_high, $from, $to, $previous_from, $previous_to, $period_months, $compare, $previous_months, $cpm, $as_of, $removed
create or replace temp table report_settings as
with newest_reading as (
  select max(last_seen_at) as data_as_of
  from linkedin_posts
),
oldest_window as (
  select min(start_date) as read_from
  from extract_windows
),
-- a period that was not read from its first day is nothing to compare with
comparison as (
  select $previous_from::date is not null
    and coalesce(read_from <= $previous_from::date, true) as is_known
  from oldest_window
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
  case when is_known then $previous_from::date end as previous_from,
  case when is_known then $previous_to::date end as previous_to,
  -- what is compared with: 'previous', 'year' or 'none'
  $compare::varchar as compare,
  -- the same in words
  case
    when $compare::varchar = 'year' or $period_months::integer = 12 then 'the year before'
    when $period_months::integer = 1 then 'the month before'
    else 'the period before'
  end as comparison,
  -- by how many months the previous period is shifted; null when there is none, or when the two are not whole months
  case when is_known then $previous_months::integer end as previous_months,
  -- equal_age.sql sets it
  false as is_equal_age,
  $cpm::double as cpm,
  $as_of::date as as_of,
  $removed::varchar as removed,
  data_as_of
from newest_reading
cross join comparison;
