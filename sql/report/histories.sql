-- grain: one LinkedIn post (report_read_posts); one and a day on which it was read; all its days but the first (report_increments)
-- key: workspace, linkedin_post_id; workspace, linkedin_post_id, captured_on
-- reads: report_candidates, report_settings, readings, emv_prices, report_read_posts, report_posts, report_readings, report_numbered_snapshots
-- parameters: $emv_sum
--
-- The readings of the report's posts, by days of its time zone. report_snapshots: each metric's last known value at the end of that day (an expired metric
-- keeps its last value), EMV priced as in report_posts, age_days from publication in days of the report's time zone.
-- report_increments: the difference from the previous reading, `days` earlier; null where either value is unknown, negative
-- where LinkedIn revised a figure down. report_read_posts: posts of the period, and earlier ones that were read in it;
-- report_readings: all their readings. Posts are numbered, since windows over numbers take an eighth of the time of
-- windows over texts.
create or replace temp view report_read_posts as
with read as (
  select distinct workspace, linkedin_post_id
  from readings
  cross join report_settings as settings
  where fetched_at >= coalesce(timezone(settings.timezone, period_from::timestamp), timestamptz '-infinity')
    and fetched_at < coalesce(timezone(settings.timezone, period_to + interval 1 day), timestamptz 'infinity')
)
select candidates.* exclude (is_in_period, is_in_previous, is_published_by_end, is_shown)
from report_candidates as candidates
left join read using (workspace, linkedin_post_id)
where is_published_by_end and is_shown and (is_in_period or read.linkedin_post_id is not null);

create or replace temp view report_readings as
with numbered as (
  select
    row_number() over ()::integer as post_number,
    workspace,
    linkedin_post_id,
    profile_id,
    published_local::date as published_on
  from report_read_posts
),
dated as (
  select
    numbered.*,
    reading_id,
    timezone(settings.timezone, fetched_at)::date as captured_on,
    fetched_at as captured_at,
    date_diff('day', published_on, captured_on)::integer as age_days,
    readings.unreadable,
    readings.* similar to '.*_(count|seconds)|engagement|emv'
  from readings
  join numbered using (workspace, linkedin_post_id)
  cross join report_settings as settings
),
-- one window, by which readings are sorted once
known as (
  select
    post_number,
    workspace,
    linkedin_post_id,
    profile_id,
    published_on,
    captured_on,
    captured_at,
    age_days,
    lead(captured_on) over so_far as next_on,
    unreadable,
    last_value(columns('^(.*_(count|seconds)|engagement|emv)$') ignore nulls) over so_far as '\0'
  from dated
  window so_far as (
    partition by post_number
    order by reading_id
    rows between unbounded preceding and current row
  )
)
select
  known.*
    exclude (profile_id, published_on, unreadable, engagement, next_on)
    replace (
      emv_of(emv, unreadable, $emv_sum, replaces) as emv
    ),
  finite(engagement * impression_count) as engagements
from known
left join emv_prices as pricing
  on pricing.workspace = known.workspace
  and pricing.profile_id = known.profile_id
  and coalesce(published_on, '-infinity') between first_day and last_day
-- the last one of each day
where next_on is null or next_on <> captured_on;

create or replace temp view report_numbered_snapshots as
select *
from report_readings
semi join report_posts using (workspace, linkedin_post_id);

create or replace temp view report_snapshots as
select * exclude (post_number)
from report_numbered_snapshots;

-- A difference of doubles has noise beyond nine decimals, and rounds to -0 if it is nothing else.
create or replace temp macro gain_of(now, before) as round(now - before, 9) + 0;

-- The increase of each metric since the previous reading. source: a table with one row for each post_number and
-- captured_on.
create or replace temp macro increments_of(source) as table
select
  post_number,
  workspace,
  linkedin_post_id,
  captured_on,
  lag(captured_on) over by_day as previous_on,
  (captured_on - previous_on)::integer as days,
  age_days,
  gain_of(
    columns('^(.*_(count|seconds)|engagements|emv)$'),
    lag(columns('^(.*_(count|seconds)|engagements|emv)$')) over by_day
  ) as '\0'
from query_table(source)
window by_day as (partition by post_number order by captured_on)
qualify previous_on is not null;

create or replace temp view report_increments as
select * exclude (post_number)
from increments_of('report_numbered_snapshots');
