-- grain: one post and a day on which it was read up to the end of the period (growth_known); such a day of the period (growth_readings); such a day after another one (growth_increments); one post that was read (growth_posts); one day and whether its increments are of one day (growth_days); one post and an age (growth_at_age); one increment that lies in one age, and what came on the day of publication (growth_gains); one revision of a metric (growth_restated)
-- key: workspace, linkedin_post_id, captured_on; workspace, linkedin_post_id, captured_on; workspace, linkedin_post_id, captured_on; workspace, linkedin_post_id; captured_on, is_single; workspace, linkedin_post_id, age; none; workspace, linkedin_post_id, captured_on, metric
-- reads: report_readings, report_settings, report_read_posts, metrics
--
-- The period selects the readings of all posts that were published by its end, and what each added since the one before,
-- which may be earlier. Most of these are tables, since every section reads them. growth_increments are those of report_increments; post_number identifies a post faster than two
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

create or replace temp table growth_posts as
with ages as (
  select
    workspace,
    linkedin_post_id,
    coalesce(published_local::date >= period_from, true) as is_of_period
  from report_read_posts
  cross join report_settings
),
read as (
  select
    workspace,
    linkedin_post_id,
    count(*) as readings,
    -- the first reading of a post that is older than the period was before it
    case when any_value(is_of_period) then min(age_days) end as first_age,
    min(captured_on) as first_on,
    max(captured_on) as last_on
  from growth_readings
  join ages using (workspace, linkedin_post_id)
  group by workspace, linkedin_post_id
),
gained as (
  select
    workspace,
    linkedin_post_id,
    true as is_read_again,
    bool_or(days = 1) as has_single_days,
    bool_or(days > 1) as has_gaps,
    bool_or(age_from is null) as has_no_age
  from growth_increments
  group by workspace, linkedin_post_id
)
select
  read.*,
  coalesce(is_read_again, false) as is_read_again,
  coalesce(has_single_days, false) as has_single_days,
  coalesce(has_gaps, false) as has_gaps,
  coalesce(has_no_age, false) as has_no_age
from read
left join gained using (workspace, linkedin_post_id);

create or replace temp table growth_days as
select
  captured_on,
  days = 1 as is_single,
  count(*) as posts,
  max(days) as longest_days,
  min(previous_on) as since,
  sum(impression_count) as impressions,
  exact_sum(engagements) as engagements,
  exact_sum(emv) as emv,
  sum(video_view_count) as views
from growth_increments
group by captured_on, is_single;

create or replace temp table growth_at_age as
with marks as (
  select unnest([1, 2, 3, 7, 14, 30, 60]) as age
),
accepted as (
  select marks.age, growth_readings.*
  from growth_readings
  join marks on age_days = marks.age or (marks.age >= 7 and abs(age_days - marks.age) = 1)
)
select *
from accepted
qualify row_number() over (
  partition by workspace, linkedin_post_id, age
  order by abs(age_days - age), age_days
) = 1;

create or replace temp view growth_gains as
select
  post_number,
  age_from,
  days,
  impression_count,
  engagements,
  emv,
  video_view_count
from growth_increments
where age_from is not null
union all
-- a post begins at 0, so what was read on the day of publication was gained on that day
select post_number, 0, 1, impression_count, engagements, emv, video_view_count
from growth_readings
where age_days = 0;

create or replace temp view growth_restated as
with changes as (
  select post_number, workspace, linkedin_post_id, captured_on, is_late, metric, change
  from (
    select
      post_number,
      workspace,
      linkedin_post_id,
      captured_on,
      age_days - days >= 30 as is_late,
      columns('^(.*_count|engagements|emv|video_watch_time_seconds)$')::double as '\0'
    from growth_increments
  )
  unpivot (change for metric in (columns('^(.*_count|engagements|emv|video_watch_time_seconds)$')))
)
select changes.*, change < 0 as is_decrease, is_interaction, title
from changes
join metrics using (metric)
-- doubles differ in their last digits without any real change
where change < -1e-6 or (change > 1e-6 and is_late);
