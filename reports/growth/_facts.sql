-- grain: one row: what sentences and the summary are made of
-- reads: growth_days, growth_known, growth_posts, growth_readings, report_removed, report_settings
with posts as (
  select
    count(*) as posts,
    count(*) filter (where readings > 0) as posts_read,
    count(*) filter (where is_read_again) as posts_read_again,
    count(*) filter (where first_age <= 1) as posts_read_from_day_1,
    case when count(first_age) >= 10 then median(first_age) end as median_first_age,
    count(*) filter (where first_age > 7) as posts_read_late,
    count(*) filter (where has_gaps) as posts_with_gaps,
    count(*) filter (where is_aged) as posts_aged,
    sum(impression_count) as impressions,
    exact_sum(emv) as emv
  from growth_posts
),
days as (
  select
    count(*) as readings,
    count(distinct captured_on) as days_read,
    (max(captured_on) - min(captured_on) + 1)::bigint as days_in_all,
    days_in_all - days_read as days_not_read,
    min(captured_on) as first_read_on,
    max(captured_on) as last_read_on
  from growth_readings
),
-- of all readings up to the end, since growth in a period begins with the reading before it
known as (
  select
    (max(captured_on) - min(captured_on) + 1)::bigint as days_known,
    min(captured_on) as known_from,
    max(captured_on) as known_to
  from growth_known
),
gained as (
  select
    sum(impressions) as impressions_added,
    exact_sum(engagements) as engagements_added,
    exact_sum(emv) as emv_added,
    sum(views) as views_added,
    min(since) as added_from,
    max(captured_on) as added_to,
    sum(impressions) filter (where not is_single) as impressions_over_days
  from growth_days
)
select
  *,
  (select count(*) from report_removed) as removed_posts,
  ' {impressions_over_days|# impression that came in such a gap is|# impressions that came in such gaps are} in columns of their own.' as in_gaps
from posts
cross join days
cross join known
cross join gained
cross join report_settings;
