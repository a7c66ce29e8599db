-- grain: one card, in the page's order
-- key: label
-- reads: video_groups, video_mixture, report_months, report_settings
-- parameters: none
with figures as (
  select
    shown.videos,
    shown.views,
    shown.watch_time_seconds,
    shown.view_rate,
    shown.views_per_viewer,
    shown.seconds_per_view,
    -- a period that was read and had no videos had 0; of one that was not read nothing is known
    case when is_read and previous.videos is null then 0 else previous.videos end as previous_videos,
    case when is_read and previous.videos is null then 0 else previous.views end as previous_views,
    case
      when is_read and previous.videos is null then 0
      else previous.watch_time_seconds
    end as previous_watch_time_seconds,
    previous.view_rate as previous_view_rate,
    previous.views_per_viewer as previous_views_per_viewer,
    previous.seconds_per_view as previous_seconds_per_view,
    -- a view is not the same for pages and for members
    case when exists (from video_mixture) then 'pages and members' end as mixture,
    -- young posts still gain: said where they weigh
    case when shown.young_views / nullif(shown.views, 0) > 0.02 then 'not final' end as doubt
  from (select previous_from is not null as is_read from report_settings)
  left join video_groups as shown on shown.dimension = 'total' and not shown.is_previous
  left join video_groups as previous on previous.dimension = 'total' and previous.is_previous
),
by_month as (
  select day as month, *
  from video_groups
  where dimension = 'month' and not is_previous
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
cards as (
  select
    1 as position,
    'Views' as label,
    'count' as format,
    figures.views::double as value,
    previous_views::double as previous,
    trends.views as trend,
    nullif(concat_ws(', ', mixture, doubt), '') as note,
    'views' as name
  from figures, trends
  union all
  select
    2,
    'Watch time',
    'duration',
    figures.watch_time_seconds::double,
    previous_watch_time_seconds::double,
    trends.watch_time_seconds,
    doubt,
    'watch_time_seconds'
  from figures, trends
  union all
  select 3, 'View rate', 'rate', figures.view_rate, previous_view_rate, trends.view_rate, mixture, 'view_rate'
  from figures, trends
  union all
  select
    4,
    'Time per view',
    'duration',
    figures.seconds_per_view,
    previous_seconds_per_view,
    trends.seconds_per_view,
    mixture,
    'seconds_per_view'
  from figures, trends
  union all
  select
    5,
    'Views per viewer',
    'decimal',
    figures.views_per_viewer,
    previous_views_per_viewer,
    trends.views_per_viewer,
    mixture,
    'views_per_viewer'
  from figures, trends
  union all
  select 6, 'Videos', 'count', coalesce(figures.videos, 0)::double, previous_videos::double, trends.videos, null,
    'videos'
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
order by position;
