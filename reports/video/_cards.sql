-- grain: one card, in the page's order
-- key: label
-- reads: report_posts, report_previous, report_months
-- parameters: none
with figures as (
  select
    count(*) as videos,
    sum(video_view_count) as views,
    sum(video_watch_time_seconds) as watch_time_seconds,
    ratio_of_sums(video_view_count, impression_count) as view_rate,
    ratio_of_sums(video_view_count, video_viewer_count) as views_per_viewer,
    ratio_of_sums(video_watch_time_seconds, video_view_count) as seconds_per_view,
    sum(video_view_count) filter (where is_young) / nullif(sum(video_view_count), 0) as young_share
  from report_posts
  where type = 'Video'
),
previous as (
  select
    nullif(count(*), 0) as videos,
    sum(video_view_count) as views,
    sum(video_watch_time_seconds) as watch_time_seconds,
    ratio_of_sums(video_view_count, impression_count) as view_rate,
    ratio_of_sums(video_view_count, video_viewer_count) as views_per_viewer,
    ratio_of_sums(video_watch_time_seconds, video_view_count) as seconds_per_view
  from report_previous
  where type = 'Video'
),
by_month as (
  select
    published_month as month,
    count(*) as videos,
    sum(video_view_count) as views,
    sum(video_watch_time_seconds) as watch_time_seconds,
    ratio_of_sums(video_view_count, impression_count) as view_rate,
    ratio_of_sums(video_view_count, video_viewer_count) as views_per_viewer,
    ratio_of_sums(video_watch_time_seconds, video_view_count) as seconds_per_view
  from report_posts
  where type = 'Video' and published_month is not null
  group by published_month
),
trends as (
  select
    list(by_month.videos::double order by month) as videos,
    list(by_month.views::double order by month) as views,
    list(by_month.watch_time_seconds::double order by month) as watch_time_seconds,
    list(by_month.view_rate order by month) as view_rate,
    list(by_month.views_per_viewer order by month) as views_per_viewer,
    list(by_month.seconds_per_view order by month) as seconds_per_view
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
    'Views' as label,
    'count' as format,
    figures.views::double as value,
    previous.views::double as previous,
    trends.views as trend,
    note
  from figures, previous, trends, doubt
  union all
  select
    2,
    'Watch time',
    'duration',
    figures.watch_time_seconds::double,
    previous.watch_time_seconds::double,
    trends.watch_time_seconds,
    note
  from figures, previous, trends, doubt
  union all
  select 3, 'View rate', 'rate', figures.view_rate, previous.view_rate, trends.view_rate, null
  from figures, previous, trends
  union all
  select
    4,
    'Time per view',
    'duration',
    figures.seconds_per_view,
    previous.seconds_per_view,
    trends.seconds_per_view,
    null
  from figures, previous, trends
  union all
  select
    5,
    'Views per viewer',
    'decimal',
    figures.views_per_viewer,
    previous.views_per_viewer,
    trends.views_per_viewer,
    null
  from figures, previous, trends
  union all
  select 6, 'Videos', 'count', figures.videos::double, previous.videos::double, trends.videos, null
  from figures, previous, trends
)
select label, format, value, previous, trend, note
from cards
order by position;
