-- grain: one card, in the page's order
-- key: label
-- reads: engagement_groups, report_months, report_settings
-- parameters: none
-- without posts it had nothing; where it was not read, nothing is known of it
with previous as (
  select
    engagement_rate,
    case when is_without_posts then 0 else engagements end as engagements,
    case when is_without_posts then 0 else impressions end as impressions,
    case when is_without_posts then 0 else likes end as likes,
    case when is_without_posts then 0 else comments end as comments,
    case when is_without_posts then 0 else shares end as shares,
    case when is_without_posts then 0 else member_saves end as member_saves,
    case when is_without_posts then 0 else page_clicks end as page_clicks
  from (
    select previous_from is not null and posts is null as is_without_posts, total.*
    from report_settings
    left join engagement_groups as total on dimension = 'total' and is_previous
  )
),
figures as (
  select
    shown.engagement_rate,
    shown.engagements,
    shown.impressions,
    shown.likes,
    shown.comments,
    shown.shares,
    shown.member_saves,
    shown.member_save_posts,
    shown.page_clicks,
    shown.page_click_posts,
    previous.engagement_rate as previous_engagement_rate,
    previous.engagements as previous_engagements,
    previous.impressions as previous_impressions,
    previous.likes as previous_likes,
    previous.comments as previous_comments,
    previous.shares as previous_shares,
    previous.member_saves as previous_member_saves,
    previous.page_clicks as previous_page_clicks,
    -- young posts still gain: said where they weigh
    case
      when shown.young_engagements / nullif(shown.engagements, 0) > 0.02 then 'not final'
    end as doubt
  from previous
  left join engagement_groups as shown on shown.dimension = 'total' and not shown.is_previous
),
by_month as (
  select day as month, *
  from engagement_groups
  where dimension = 'month' and not is_previous
),
trends as (
  select
    list(by_month.engagement_rate order by month) as engagement_rate,
    list(by_month.engagements order by month) as engagements,
    list(by_month.impressions::double order by month) as impressions,
    list(by_month.likes::double order by month) as likes,
    list(by_month.comments::double order by month) as comments,
    list(by_month.shares::double order by month) as shares,
    list(by_month.member_saves::double order by month) as member_saves,
    list(by_month.page_clicks::double order by month) as page_clicks
  from report_months
  left join by_month using (month)
),
cards as (
  select
    1 as position,
    'Engagement rate' as label,
    'rate' as format,
    figures.engagement_rate as value,
    previous_engagement_rate as previous,
    trends.engagement_rate as trend,
    null as note,
    'engagement_rate' as name
  from figures, trends
  union all
  select 2, 'Engagements', 'count', figures.engagements, previous_engagements, trends.engagements, doubt,
    'engagements'
  from figures, trends
  union all
  select
    3,
    'Impressions',
    'count',
    figures.impressions::double,
    previous_impressions::double,
    trends.impressions,
    doubt,
    'impressions'
  from figures, trends
  union all
  select 4, 'Comments', 'count', figures.comments::double, previous_comments::double, trends.comments, doubt,
    'comments'
  from figures, trends
  union all
  -- LinkedIn counts saves for members and clicks for pages: a card only where there are such posts
  select
    5,
    'Saves, members (n = ' || member_save_posts || ')',
    'count',
    figures.member_saves::double,
    previous_member_saves::double,
    trends.member_saves,
    doubt,
    'saves_of_members'
  from figures, trends
  where member_save_posts > 0
  union all
  select
    6,
    'Clicks, pages (n = ' || page_click_posts || ')',
    'count',
    figures.page_clicks::double,
    previous_page_clicks::double,
    trends.page_clicks,
    doubt,
    'clicks_of_pages'
  from figures, trends
  where page_click_posts > 0
  union all
  select 7, 'Likes', 'count', figures.likes::double, previous_likes::double, trends.likes, doubt, 'likes'
  from figures, trends
  union all
  select 8, 'Shares', 'count', figures.shares::double, previous_shares::double, trends.shares, doubt, 'shares'
  from figures, trends
)
select
  label,
  format,
  value,
  previous,
  trend,
  note,
  'summary.' || name as cell,
  'summary.previous_' || name as previous_cell
from cards
order by position
limit 6;
