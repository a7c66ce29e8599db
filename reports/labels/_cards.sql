-- grain: one card, in the page's order
-- key: label
-- reads: label_sums, label_totals, report_months, report_settings
-- parameters: none
with shown as (
  select *
  from label_totals
  where is_current and dimension = 'labelled'
),
-- without posts it had nothing; where it was not read, nothing is known of it
previous as (
  select totals.* replace (
    case when posts = 0 then 0 else impressions end as impressions,
    case when posts = 0 then 0 else emv end as emv
  )
  from (select false as is_current, 'labelled' as dimension) as wanted
  left join label_totals as totals using (is_current, dimension)
),
by_month as (
  select *
  from label_sums
  where is_current and dimension = 'labelled' and is_monthly
),
trends as (
  select
    list(by_month.posts::double order by month) as posts,
    list(by_month.impressions::double order by month) as impressions,
    list(by_month.engagement_rate order by month) as engagement_rate,
    list(by_month.emv order by month) as emv,
    list(by_month.emv_per_post order by month) as emv_per_post
  from report_months
  left join by_month using (month)
),
-- young posts still gain: said where they weigh, unless both periods are seen at the same age
doubts as (
  select
    case when not is_equal_age and young_emv > 0.02 * emv then 'not final' end as emv,
    case when not is_equal_age and young_impressions > 0.02 * impressions then 'not final' end as impressions
  from shown
  cross join report_settings
),
cards as (
  select
    1 as position,
    'Posts with a label' as label,
    'count' as format,
    shown.posts::double as value,
    previous.posts::double as previous,
    trends.posts as trend,
    null as note,
    'labelled_posts' as figure
  from shown, previous, trends
  union all
  select 2, 'Their EMV', 'money', shown.emv, previous.emv, trends.emv, doubts.emv, 'labelled_emv'
  from shown, previous, trends, doubts
  union all
  select 3, 'Their EMV per post', 'money', shown.emv_per_post, previous.emv_per_post, trends.emv_per_post,
    doubts.emv, 'labelled_emv_per_post'
  from shown, previous, trends, doubts
  union all
  select 4, 'Their impressions', 'count', shown.impressions::double, previous.impressions::double,
    trends.impressions, doubts.impressions, 'labelled_impressions'
  from shown, previous, trends, doubts
  union all
  select 5, 'Their engagement rate', 'rate', shown.engagement_rate, previous.engagement_rate,
    trends.engagement_rate, doubts.impressions, 'labelled_engagement_rate'
  from shown, previous, trends, doubts
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
