-- grain: one post and a day on which it was read up to the end of the period (growth_known); such a day of the period (growth_readings); such a day after another one (growth_increments); one day and whether its increments are of one day (growth_days); one increment that lies in one age, and what came on the day of publication (growth_gains); one age (growth_ages); one revision of a metric (growth_restated); one post and an age (growth_at_age); one post, age and metric, beside the final day (growth_shares); one post of the report (growth_posts)
-- key: post_number, captured_on; post_number, captured_on; post_number, captured_on; captured_on, is_single; none; age_from; post_number, captured_on, metric; post_number, age; post_number, age, metric; workspace, linkedin_post_id
-- reads: report_readings, report_settings, report_read_posts, metrics, gain_of, increments_of
-- parameters: $final_day, $minimum_posts, $since
--
-- The period selects the readings of all posts that were published by its end, and what each added since the one before,
-- which may be earlier. These are tables, since every section reads them; post_number identifies a post faster than two
-- texts. growth_at_age: the reading of a post at 1, 2, 3, 7, 14, 30 and 60 days; from day 7 on, the nearest reading
-- within a day, the earlier of two. growth_restated: the figures that LinkedIn revised down at any age, and up after
-- day 30.
create or replace temp table growth_known as
select report_readings.*
from report_readings
cross join report_settings
where captured_on <= coalesce(period_to, date 'infinity');

create or replace temp view growth_readings as
select growth_known.*
from growth_known
cross join report_settings
where captured_on >= coalesce(period_from, date '-infinity');

create or replace temp table growth_increments as
select
  increments.*,
  -- a group contains only increments that begin and end in it; an increment across its edge has no single age
  case
    when days = 1 and age_days between 1 and 30 then age_days
    when age_days - days >= 30 and age_days <= 60 then 31
    when age_days - days >= 60 and age_days <= 90 then 61
    when age_days - days >= 90 then 91
  end as age_from
from increments_of('growth_known') as increments
cross join report_settings
where captured_on >= coalesce(period_from, date '-infinity');

create or replace temp table growth_days as
select
  captured_on,
  days = 1 as is_single,
  count(*) as posts,
  max(days) as longest_days,
  min(previous_on) as since,
  max(impression_count) as largest,
  sum(impression_count) as impressions,
  exact_sum(engagements) as engagements,
  exact_sum(emv) as emv,
  sum(video_view_count) as views
from growth_increments
group by captured_on, is_single;

create or replace temp view growth_gains as
select post_number, age_from, days, impression_count, engagements, emv, video_view_count
from growth_increments
where age_from is not null
union all
-- a post begins at 0, so what was read on the day of publication was gained on that day
select post_number, 0, 1, impression_count, engagements, emv, video_view_count
from growth_readings
where age_days = 0;

create or replace temp table growth_ages as
select
  age_from,
  case age_from when 31 then '31–60' when 61 then '61–90' when 91 then '91 and more' else age_from::varchar end as age,
  count(distinct post_number) as posts,
  count(distinct post_number) filter (where impression_count is not null) as known_posts,
  sum(impression_count) as impressions,
  exact_sum(engagements) as engagements,
  exact_sum(emv) as emv,
  sum(video_view_count) as views,
  case when known_posts >= $minimum_posts::bigint then median(impression_count / days) end as median_impressions,
  case
    when count(distinct post_number) filter (where engagements is not null) >= $minimum_posts::bigint
      then median(engagements / days)
  end as median_engagements,
  case
    when count(distinct post_number) filter (where emv is not null) >= $minimum_posts::bigint then median(emv / days)
  end as median_emv
from growth_gains
group by age_from;

create or replace temp table growth_restated as
with changes as (
  from (
    select
      post_number,
      captured_on,
      age_days - days >= 30 as is_late,
      columns('^(.*_(count|seconds)|engagements|emv)$')::double as '\0'
    from growth_increments
    where captured_on >= coalesce($since::date, date '-infinity')
  )
  unpivot (change for metric in (columns('^(.*_(count|seconds)|engagements|emv)$')))
)
select changes.*, change < 0 as is_decrease, is_interaction, title
from changes
join metrics using (metric)
-- doubles differ in their last digits without any real change
where change < -1e-6 or (change > 1e-6 and is_late);

create or replace temp table growth_at_age as
select marks.age, growth_readings.*
from growth_readings
join (select unnest([1, 2, 3, 7, 14, 30, 60]) as age) as marks
  on age_days = marks.age or (marks.age >= 7 and abs(age_days - marks.age) = 1)
qualify row_number() over (partition by post_number, age order by abs(age_days - age), age_days) = 1;

create or replace temp table growth_shares as
with final as (
  from growth_readings
  where abs(age_days - $final_day::integer) <= 1
  qualify row_number() over (partition by post_number order by abs(age_days - $final_day::integer), age_days) = 1
)
select
  post_number,
  age,
  unnest(
    [
      {'metric': 'impression_count', 'early': early.impression_count::double, 'final': final.impression_count::double},
      {'metric': 'engagements', 'early': early.engagements, 'final': final.engagements},
      {'metric': 'emv', 'early': early.emv, 'final': final.emv},
      {'metric': 'video_view_count', 'early': early.video_view_count::double, 'final': final.video_view_count::double}
    ],
    recursive := true
  )
from growth_at_age as early
join final using (post_number)
where age < $final_day::integer;

create or replace temp table growth_posts as
with read as (
  select
    post_number,
    any_value(workspace) as workspace,
    any_value(linkedin_post_id) as linkedin_post_id,
    count(*) as readings,
    min(age_days) as first_age,
    min(captured_on) as first_on,
    max(captured_on) as last_on
  from growth_readings
  group by post_number
),
gained as (
  select
    post_number,
    true as is_read_again,
    bool_or(days = 1) as has_single_days,
    bool_or(days > 1) as has_gaps,
    bool_or(age_from is null) as has_no_age
  from growth_increments
  group by post_number
),
ages as (
  select
    post_number,
    bool_or(age in (1, 7, 30)) as is_aged,
    any_value(impression_count) filter (where age = 1) as impressions_day_1,
    any_value(impression_count) filter (where age = 7) as impressions_day_7,
    any_value(impression_count) filter (where age = 30) as impressions_day_30,
    any_value(emv) filter (where age = 1) as emv_day_1,
    any_value(emv) filter (where age = 7) as emv_day_7,
    any_value(emv) filter (where age = 30) as emv_day_30
  from growth_at_age
  group by post_number
),
newest as (
  from growth_readings
  where captured_on >= (select max(captured_on) from growth_readings) - 1
  qualify row_number() over (partition by post_number order by captured_on desc) = 1
),
-- since the reading of a week before that one, or of the day before or after it
week as (
  select
    post_number,
    newest.impression_count - before.impression_count as impressions_7_days,
    gain_of(newest.engagements, before.engagements) as engagements_7_days,
    gain_of(newest.emv, before.emv) as emv_7_days
  from newest
  join growth_known as before using (post_number)
  where before.captured_on between newest.captured_on - 8 and newest.captured_on - 6
  qualify row_number() over (
    partition by post_number
    order by abs(before.captured_on - newest.captured_on + 7), before.captured_on
  ) = 1
)
select
  shown.workspace,
  shown.linkedin_post_id,
  post_number,
  published_at is not null as has_time,
  published_month as month,
  shown.impression_count,
  shown.emv,
  coalesce(readings, 0) as readings,
  -- the first reading of a post that is older than the period was before it
  case when coalesce(published_local::date >= period_from, true) then first_age end as first_age,
  first_on,
  last_on,
  coalesce(is_read_again, false) as is_read_again,
  coalesce(has_single_days, false) as has_single_days,
  coalesce(has_gaps, false) as has_gaps,
  coalesce(has_no_age, false) as has_no_age,
  ages.* exclude (post_number),
  week.* exclude (post_number)
from report_read_posts as shown
cross join report_settings
left join read using (workspace, linkedin_post_id)
left join gained using (post_number)
left join ages using (post_number)
left join week using (post_number);
