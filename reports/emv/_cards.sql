-- grain: one card, in the page's order
-- key: label
-- reads: emv_sums, emv_totals, report_months, report_settings
-- parameters: none
with shown as (
  select *
  from emv_totals
  where is_current
),
-- without posts it had nothing; where it was not read, nothing is known of it
previous as (
  select totals.* replace (
    case when posts = 0 then 0 else impressions end as impressions,
    case when posts = 0 then 0 else emv end as emv
  )
  from (select false as is_current) as wanted
  left join emv_totals as totals using (is_current)
),
by_month as (
  select *
  from emv_sums
  where is_current and dimension = 'all' and is_monthly
),
trends as (
  select
    list(by_month.posts::double order by month) as posts,
    list(by_month.impressions::double order by month) as impressions,
    list(by_month.emv order by month) as emv,
    list(by_month.effective_cpm order by month) as effective_cpm,
    list(by_month.emv_per_post order by month) as emv_per_post,
    list(by_month.median_emv order by month) as median_emv
  from report_months
  left join by_month using (month)
),
-- young posts still gain: said where they weigh, unless both periods are seen at the same age
doubts as (
  select
    case when not is_equal_age and young_emv > 0.02 * emv then 'not final' end as emv,
    case when not is_equal_age and young_impressions > 0.02 * impressions then 'not final' end as impressions,
    case when not is_equal_age and young_posts > 0.02 * posts then 'not final' end as median_emv
  from shown
  cross join report_settings
),
cards as (
  select
    1 as position,
    'EMV' as label,
    'money' as format,
    shown.emv as value,
    previous.emv as previous,
    trends.emv as trend,
    doubts.emv as note,
    'emv' as figure
  from shown, previous, trends, doubts
  union all
  select 2, 'Impressions', 'count', shown.impressions::double, previous.impressions::double,
    trends.impressions, doubts.impressions, 'impressions'
  from shown, previous, trends, doubts
  union all
  select 3, 'Posts', 'count', shown.posts::double, previous.posts::double, trends.posts, null, 'posts'
  from shown, previous, trends
  union all
  select 4, 'EMV per post', 'money', shown.emv_per_post, previous.emv_per_post, trends.emv_per_post,
    doubts.emv, 'emv_per_post'
  from shown, previous, trends, doubts
  union all
  select 5, 'Median per post', 'money', shown.median_emv, previous.median_emv, trends.median_emv,
    doubts.median_emv, 'median_emv'
  from shown, previous, trends, doubts
  union all
  select 6, 'CPM used', 'money_exact', shown.effective_cpm, previous.effective_cpm,
    trends.effective_cpm, null, 'effective_cpm'
  from shown, previous, trends
)
select
  label,
  format,
  value,
  previous,
  trend,
  note,
  'summary.' || figure as cell,
  'summary.previous_' || figure as previous_cell
from cards
order by position;
