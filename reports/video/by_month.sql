-- grain: one month of publication with videos; videos without a time are under an empty month
-- key: month
-- reads: report_posts, report_previous, report_settings
-- parameters: none
with months as (
  select
    published_month as month,
    count(*) as videos,
    count(*) filter (where video_view_count is null) as videos_not_synced,
    sum(impression_count) as impressions,
    sum(video_view_count) as views,
    sum(video_viewer_count) as viewers,
    sum(video_watch_time_seconds) as watch_time_seconds,
    ratio_of_sums(video_view_count, impression_count) as view_rate,
    ratio_of_sums(video_view_count, video_viewer_count) as views_per_viewer,
    ratio_of_sums(video_watch_time_seconds, video_view_count) as seconds_per_view,
    ratio_of_sums(video_watch_time_seconds, video_viewer_count) as seconds_per_viewer
  from report_posts
  where type = 'Video'
  group by published_month
),
-- set beside the month so much later; only whole months can be
previous as (
  select
    (published_month + to_months(any_value(period_months)))::date as month,
    sum(video_view_count) as previous_views
  from report_previous
  cross join report_settings
  where type = 'Video' and period_months is not null
  group by published_month
)
select
  month,
  videos,
  videos_not_synced,
  impressions,
  views,
  viewers,
  watch_time_seconds,
  view_rate,
  views_per_viewer,
  seconds_per_view,
  seconds_per_viewer,
  previous_views
from months
left join previous using (month)
order by month nulls last;
