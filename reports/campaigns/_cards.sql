-- grain: one card, in the page's order
-- key: label
-- reads: campaign_sums, campaign_totals, report_months, report_settings
-- parameters: none
with shown as (
  select *
  from campaign_totals
  where is_current
),
-- without posts it had nothing; where it was not read, nothing is known of it
previous as (
  select totals.* replace (
    case when posts = 0 then 0 else impressions end as impressions,
    case when posts = 0 then 0 else emv end as emv,
    case when videos = 0 then 0 else views end as views
  )
  from (select false as is_current) as wanted
  left join campaign_totals as totals using (is_current)
),
by_month as (
  select *
  from campaign_sums
  where is_current and dimension = 'all' and is_monthly
),
trends as (
  select
    list(by_month.campaigns::double order by month) as campaigns,
    list(by_month.posts::double order by month) as posts,
    list(by_month.impressions::double order by month) as impressions,
    list(by_month.engagement_rate order by month) as engagement_rate,
    list(by_month.emv order by month) as emv,
    list(by_month.views::double order by month) as views
  from report_months
  left join by_month using (month)
),
-- young posts still gain: said where they weigh, unless both periods are seen at the same age
doubts as (
  select
    case when not is_equal_age and young_emv > 0.02 * emv then 'not final' end as emv,
    case when not is_equal_age and young_impressions > 0.02 * impressions then 'not final' end as impressions,
    case when not is_equal_age and young_views > 0.02 * views then 'not final' end as views
  from shown
  cross join report_settings
),
cards as (
  select
    1 as position,
    'EMV of campaigns' as label,
    'money' as format,
    shown.emv as value,
    previous.emv as previous,
    trends.emv as trend,
    doubts.emv as note,
    'emv' as figure
  from shown, previous, trends, doubts
  union all
  select 2, 'Campaigns', 'count', shown.campaigns::double, previous.campaigns::double, trends.campaigns, null,
    'campaigns'
  from shown, previous, trends
  union all
  select 3, 'Posts', 'count', shown.posts::double, previous.posts::double, trends.posts, null, 'posts'
  from shown, previous, trends
  union all
  select 4, 'Impressions', 'count', shown.impressions::double, previous.impressions::double,
    trends.impressions, doubts.impressions, 'impressions'
  from shown, previous, trends, doubts
  union all
  select 5, 'Engagement rate', 'rate', shown.engagement_rate, previous.engagement_rate,
    trends.engagement_rate, doubts.impressions, 'engagement_rate'
  from shown, previous, trends, doubts
  union all
  select 6, 'Video views', 'count', shown.views::double, previous.views::double, trends.views, doubts.views, 'views'
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
