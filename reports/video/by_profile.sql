-- grain: one profile of one workspace
-- key: workspace, profile_id
-- reads: report_posts
-- parameters: none
with groups as (
  select
    workspace,
    profile_id,
    coalesce(any_value(profile), profile_id) as profile,
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
  group by workspace, profile_id
)
select
  profile,
  workspace,
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
  profile_id
from groups
order by views desc nulls last, videos desc, profile, workspace, profile_id;
