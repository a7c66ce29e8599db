-- grain: one card of a list
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
  select count(*) filter (where is_read_again) as posts_read_again, min(first_on) as first_on, max(last_on) as last_on
  from growth_posts
),
read as (
  select count(distinct captured_on) as days_read
  from growth_readings
),
-- the trend covers the last 90 days; days without a reading are gaps
days as (
  select unnest(generate_series(greatest(first_on + 1, last_on - 89), last_on, interval 1 day))::date as captured_on
  from histories
),
trends as (
  select
    list(impressions::double order by captured_on) as impressions_trend,
    list(engagements order by captured_on) as engagements_trend,
    list(emv order by captured_on) as emv_trend,
    list(views::double order by captured_on) as views_trend
  from days
  left join (from growth_days where is_single) using (captured_on)
)
select
  unnest(
    [
      {
        'label': 'Impressions added', 'format': 'count', 'value': impressions, 'trend': impressions_trend,
        'cell': 'summary.impressions_added'
      },
      {
        'label': 'Engagements added', 'format': 'count', 'value': engagements, 'trend': engagements_trend,
        'cell': 'summary.engagements_added'
      },
      {'label': 'EMV added', 'format': 'money', 'value': emv, 'trend': emv_trend, 'cell': 'summary.emv_added'},
      {'label': 'Video views added', 'format': 'count', 'value': views, 'trend': views_trend, 'cell': 'summary.views_added'},
      {
        'label': 'Posts read again', 'format': 'count', 'value': posts_read_again, 'trend': null,
        'cell': 'summary.posts_read_again'
      },
      {'label': 'Days read', 'format': 'count', 'value': days_read, 'trend': null, 'cell': 'summary.days_read'}
    ],
    recursive := true
  )
from gained
cross join histories
cross join read
cross join trends;
