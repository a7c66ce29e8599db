-- grain: one card, in the page's order
-- key: label
-- reads: report_posts, report_previous, report_months
-- parameters: none
with figures as (
  select
    count(*) as posts,
    sum(impression_count) as impressions,
    exact_sum(emv) as emv,
    ratio_of_sums(emv, impression_count) * 1000 as effective_cpm,
    exact_sum(emv) / nullif(count(emv), 0) as emv_per_post,
    case when count(emv) >= 10 then median(emv) end as median_emv,
    exact_sum(case when is_young then emv end) / nullif(exact_sum(emv), 0) as young_share
  from report_posts
),
previous as (
  select
    nullif(count(*), 0) as posts,
    sum(impression_count) as impressions,
    exact_sum(emv) as emv,
    ratio_of_sums(emv, impression_count) * 1000 as effective_cpm,
    exact_sum(emv) / nullif(count(emv), 0) as emv_per_post,
    case when count(emv) >= 10 then median(emv) end as median_emv
  from report_previous
),
by_month as (
  select
    published_month as month,
    count(*) as posts,
    sum(impression_count) as impressions,
    exact_sum(emv) as emv,
    ratio_of_sums(emv, impression_count) * 1000 as effective_cpm,
    exact_sum(emv) / nullif(count(emv), 0) as emv_per_post,
    case when count(emv) >= 10 then median(emv) end as median_emv
  from report_posts
  where published_month is not null
  group by published_month
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
-- young posts still gain: said where they weigh
doubt as (
  select case when young_share > 0.02 then 'not final' end as note
  from figures
),
cards as (
  select 1 as position, 'EMV' as label, 'money' as format, figures.emv as value, previous.emv as previous,
    trends.emv as trend, note
  from figures, previous, trends, doubt
  union all
  select 2, 'Impressions', 'count', figures.impressions::double, previous.impressions::double,
    trends.impressions, note
  from figures, previous, trends, doubt
  union all
  select 3, 'Posts', 'count', figures.posts::double, previous.posts::double, trends.posts, null
  from figures, previous, trends
  union all
  select 4, 'EMV per post', 'money', figures.emv_per_post, previous.emv_per_post, trends.emv_per_post, note
  from figures, previous, trends, doubt
  union all
  select 5, 'Median per post', 'money', figures.median_emv, previous.median_emv, trends.median_emv, null
  from figures, previous, trends
  union all
  select 6, 'CPM used', 'money_exact', figures.effective_cpm, previous.effective_cpm,
    trends.effective_cpm, null
  from figures, previous, trends
)
select label, format, value, previous, trend, note
from cards
order by position;
