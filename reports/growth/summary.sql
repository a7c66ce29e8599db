-- grain: one row: all posts of the report
-- reads: report_read_posts, report_removed, growth_readings, growth_posts, growth_days
with shown as (
  select count(*) as posts, sum(impression_count) as impressions, exact_sum(emv) as emv
  from report_read_posts
),
removed as (
  select count(*) as removed_posts
  from report_removed
),
days as (
  select
    count(*) as readings,
    count(distinct captured_on) as days_read,
    (max(captured_on) - min(captured_on) + 1 - count(distinct captured_on))::bigint as days_not_read,
    min(captured_on) as first_read_on,
    max(captured_on) as last_read_on
  from growth_readings
),
histories as (
  select
    count(*) as posts_read,
    count(*) filter (where is_read_again) as posts_read_again,
    count(*) filter (where first_age <= 1) as posts_read_from_day_1,
    case when count(first_age) >= 10 then median(first_age) end as median_first_age
  from growth_posts
),
gained as (
  select
    sum(impressions) as impressions_added,
    exact_sum(engagements) as engagements_added,
    exact_sum(emv) as emv_added,
    sum(views) as views_added
  from growth_days
)
select
  shown.posts,
  posts_read,
  posts_read_again,
  posts_read_from_day_1,
  median_first_age,
  readings,
  days_read,
  days_not_read,
  first_read_on,
  last_read_on,
  shown.impressions,
  impressions_added,
  engagements_added,
  shown.emv,
  emv_added,
  views_added,
  removed_posts
from shown
cross join removed
cross join days
cross join histories
cross join gained;
