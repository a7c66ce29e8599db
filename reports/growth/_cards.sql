-- grain: one card, in the page's order
-- key: label
-- reads: growth_readings, growth_posts, growth_days
with gained as (
  select
    sum(impressions)::double as impressions,
    exact_sum(engagements) as engagements,
    exact_sum(emv) as emv,
    sum(views)::double as views
  from growth_days
),
histories as (
  select count(*) as posts, min(first_on) as first_on, max(last_on) as last_on
  from growth_posts
),
read as (
  select count(distinct captured_on) as days
  from growth_readings
),
-- of the last 90 days; days without a reading are gaps
days as (
  select unnest(generate_series(greatest(first_on + 1, last_on - 89), last_on, interval 1 day))::date as captured_on
  from histories
),
daily as (
  select *
  from growth_days
  where is_single
),
trends as (
  select
    list(daily.impressions::double order by captured_on) as impressions,
    list(daily.engagements order by captured_on) as engagements,
    list(daily.emv order by captured_on) as emv,
    list(daily.views::double order by captured_on) as views
  from days
  left join daily using (captured_on)
),
cards as (
  select 1 as position, 'Impressions added' as label, 'count' as format, gained.impressions as value,
    trends.impressions as trend, 'summary.impressions_added' as cell
  from gained, trends
  union all
  select 2, 'Engagements added', 'count', gained.engagements, trends.engagements, 'summary.engagements_added'
  from gained, trends
  union all
  select 3, 'EMV added', 'money', gained.emv, trends.emv, 'summary.emv_added'
  from gained, trends
  union all
  select 4, 'Video views added', 'count', gained.views, trends.views, 'summary.views_added'
  from gained, trends
  union all
  select 5, 'Posts read', 'count', histories.posts::double, null, 'summary.posts_read'
  from histories
  union all
  select 6, 'Days read', 'count', read.days::double, null, 'summary.days_read'
  from read
)
select
  label,
  format,
  value,
  -- what was added depends on how long posts were read: there is nothing to compare with
  null::double as previous,
  trend,
  null::varchar as note,
  cell,
  null::varchar as previous_cell
from cards
order by position;
