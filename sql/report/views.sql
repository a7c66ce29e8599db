-- grain: one LinkedIn post; one month (report_months); one row (report_week_span)
-- key: workspace, linkedin_post_id; month; none
-- reads: report_candidates, report_settings
--
-- The views that sections read. report_posts: the posts of the report, after all filters. report_all: those that pass
-- all filters except --removed. report_removed: the removed ones among them. report_previous (equal_age.sql): the posts
-- of the comparison period; empty if there is none. report_earlier: those of the 12 months before the period, with today's
-- figures. All five have the columns of post_performance, then has_negative_count, age_days (calendar days of the
-- report's zone from publication to the newest reading), published_month and removed_month (first days) and is_young
-- (published less than 14 days before the newest reading). report_months: every month from the first to the last with a
-- post.
create or replace temp view report_posts as
select candidates.* exclude (is_in_period, is_in_previous, is_published_by_end, is_shown)
from report_candidates as candidates
where is_in_period and is_shown;

create or replace temp view report_earlier as
select candidates.* exclude (is_in_period, is_in_previous, is_published_by_end, is_shown)
from report_candidates as candidates
cross join report_settings
where published_local::date between (date_trunc('month', period_from) - interval 12 months)::date and period_from - 1
  and is_shown;

create or replace temp view report_all as
select candidates.* exclude (is_in_period, is_in_previous, is_published_by_end, is_shown)
from report_candidates as candidates
where is_in_period;

create or replace temp view report_removed as
select candidates.* exclude (is_in_period, is_in_previous, is_published_by_end, is_shown)
from report_candidates as candidates
where is_in_period and is_removed;

-- The grain of time that fits the posts: weeks if they are of one month or two, quarters if they are of 35 or more.
create or replace temp macro fitting_grain() as (
  select case when months <= 2 then 'week' when months >= 35 then 'quarter' else 'month' end
  from (select date_diff('month', min(published_month), max(published_month)) + 1 as months from report_posts)
);

create or replace temp macro next_by(grain) as
  case grain when 'week' then interval 7 days when 'quarter' then interval 3 months else interval 1 month end;

-- The weeks of the first and the last post, whatever its type: reports of a month have the same.
create or replace temp view report_week_span as
select
  date_trunc('week', min(published_local))::date as first_week,
  date_trunc('week', max(published_local))::date as last_week
from report_posts;

create or replace temp view report_months as
select unnest(generate_series(min(published_month), max(published_month), interval 1 month))::date as month
from report_posts;
