-- grain: one card of a list
-- key: label
-- reads: growth_days, report_facts
--
-- The trend covers the last 90 days; days without a reading are gaps.
with days as (
  select unnest(generate_series(greatest(first_read_on + 1, last_read_on - 89), last_read_on, interval 1 day))::date as captured_on
  from report_facts
),
trends as (
  select list(columns(['impressions', 'engagements', 'emv', 'views'])::double order by captured_on) as '\0_trend'
  from days
  left join (from growth_days where is_single) using (captured_on)
)
select
  unnest(
    [
      {'label': 'Impressions added', 'format': 'count', 'value': impressions_added, 'trend': impressions_trend, 'cell': 'summary.impressions_added'},
      {'label': 'Engagements added', 'format': 'count', 'value': engagements_added, 'trend': engagements_trend, 'cell': 'summary.engagements_added'},
      {'label': 'EMV added', 'format': 'money', 'value': emv_added, 'trend': emv_trend, 'cell': 'summary.emv_added'},
      {'label': 'Video views added', 'format': 'count', 'value': views_added, 'trend': views_trend, 'cell': 'summary.views_added'},
      {'label': 'Posts read again', 'format': 'count', 'value': posts_read_again, 'trend': null, 'cell': 'summary.posts_read_again'},
      {'label': 'Days read', 'format': 'count', 'value': days_read, 'trend': null, 'cell': 'summary.days_read'}
    ],
    recursive := true
  )
from trends
cross join report_facts;
