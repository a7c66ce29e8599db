-- grain: one card, in the page's order
-- key: label
-- reads: report_posts, report_previous, report_months
-- parameters: none
with figures as (
  select
    ratio_of_sums(engagements, impression_count) as engagement_rate,
    exact_sum(engagements) as engagements,
    sum(impression_count) as impressions,
    sum(like_count) as likes,
    sum(comment_count) as comments,
    sum(share_count) as shares,
    exact_sum(case when is_young then engagements end) / nullif(exact_sum(engagements), 0) as young_share
  from report_posts
),
previous as (
  select
    ratio_of_sums(engagements, impression_count) as engagement_rate,
    exact_sum(engagements) as engagements,
    sum(impression_count) as impressions,
    sum(like_count) as likes,
    sum(comment_count) as comments,
    sum(share_count) as shares
  from report_previous
),
by_month as (
  select
    published_month as month,
    ratio_of_sums(engagements, impression_count) as engagement_rate,
    exact_sum(engagements) as engagements,
    sum(impression_count) as impressions,
    sum(like_count) as likes,
    sum(comment_count) as comments,
    sum(share_count) as shares
  from report_posts
  where published_month is not null
  group by published_month
),
trends as (
  select
    list(by_month.engagement_rate order by month) as engagement_rate,
    list(by_month.engagements order by month) as engagements,
    list(by_month.impressions::double order by month) as impressions,
    list(by_month.likes::double order by month) as likes,
    list(by_month.comments::double order by month) as comments,
    list(by_month.shares::double order by month) as shares
  from report_months
  left join by_month using (month)
),
-- young posts still gain: said where they weigh
doubt as (
  select case when young_share > 0.02 then 'not final' end as note
  from figures
),
cards as (
  select
    1 as position,
    'Engagement rate' as label,
    'rate' as format,
    figures.engagement_rate as value,
    previous.engagement_rate as previous,
    trends.engagement_rate as trend,
    null as note
  from figures, previous, trends
  union all
  select 2, 'Engagements', 'count', figures.engagements, previous.engagements, trends.engagements, note
  from figures, previous, trends, doubt
  union all
  select
    3,
    'Impressions',
    'count',
    figures.impressions::double,
    previous.impressions::double,
    trends.impressions,
    note
  from figures, previous, trends, doubt
  union all
  select 4, 'Likes', 'count', figures.likes::double, previous.likes::double, trends.likes, note
  from figures, previous, trends, doubt
  union all
  select 5, 'Comments', 'count', figures.comments::double, previous.comments::double, trends.comments, note
  from figures, previous, trends, doubt
  union all
  select 6, 'Shares', 'count', figures.shares::double, previous.shares::double, trends.shares, note
  from figures, previous, trends, doubt
)
select label, format, value, previous, trend, note
from cards
order by position;
