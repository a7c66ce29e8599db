-- grain: one day from the first after a reading to the last; a day without a reading is empty
-- key: captured_on
-- reads: growth_readings, growth_increments, growth_days
with read as (
  select captured_on, count(*) as posts_read
  from growth_readings
  group by captured_on
),
days as (
  select unnest(generate_series(least(first_read + 1, first_added), last_read, interval 1 day))::date as captured_on
  from (select min(captured_on) as first_read, max(captured_on) as last_read from read)
  cross join (select min(captured_on) as first_added from growth_increments)
)
select
  days.captured_on,
  coalesce(single.posts, 0) as posts,
  single.impressions,
  single.engagements,
  single.emv,
  single.views,
  coalesce(posts_read, 0) as posts_read,
  coalesce(longer.posts, 0) as posts_over_days,
  longer.longest_days,
  longer.impressions as impressions_over_days,
  longer.engagements as engagements_over_days,
  longer.emv as emv_over_days,
  longer.views as views_over_days
from days
left join (from growth_days where is_single) as single using (captured_on)
left join (from growth_days where not is_single) as longer using (captured_on)
left join read using (captured_on)
order by days.captured_on;
