-- grain: one section: what it rests on
-- key: section
-- reads: report_posts, video_expired
-- parameters: none
with counted as (
  select
    count(*) as videos,
    count(video_view_count) as synced,
    count(*) filter (
      where impression_count is not null and video_view_count is not null and video_viewer_count is not null
    ) as staged,
    count(video_watch_time_seconds / nullif(video_view_count, 0)) as watched,
    count(distinct (workspace, profile_id)) as profiles,
    count(distinct coalesce(kind, '')) as kinds,
    count(distinct campaign) as campaigns
  from report_posts
  where type = 'Video'
),
labels as (
  select count(distinct label) as labels
  from (select unnest(labels) as label from report_posts where type = 'Video') as labelled
),
expired as (
  select count(*) as videos
  from video_expired
),
bases as (
  select 'stages' as section, staged as n, 'n = {n:count} video with all three' as one,
    'n = {n:count} videos with all three' as many
  from counted
  union all
  select 'by_kind', synced, 'n = {n:count} synced video', 'n = {n:count} synced videos' from counted
  union all
  select 'watch_time', watched, 'n = {n:count} video', 'n = {n:count} videos' from counted
  union all
  select 'watch_time_videos', watched, '{n:count} video', '{n:count} videos' from counted
  union all
  select 'by_month', synced, 'n = {n:count} synced video', 'n = {n:count} synced videos' from counted
  union all
  select 'by_profile', profiles, '{n:count} profile', '{n:count} profiles' from counted
  union all
  select 'by_campaign', campaigns, '{n:count} campaign', '{n:count} campaigns' from counted
  union all
  select 'by_label', labels, '{n:count} label', '{n:count} labels' from labels
  union all
  select 'posts', videos, '{n:count} video', '{n:count} videos' from counted
  union all
  select 'not_synced', videos - synced, '{n:count} video', '{n:count} videos' from counted
  union all
  select 'expired', videos, '{n:count} video', '{n:count} videos' from expired
  union all
  select 'summary', videos, 'n = {n:count} video', 'n = {n:count} videos' from counted
  union all
  select 'left_out', videos, 'beside {n:count} video', 'beside {n:count} videos' from counted
)
select section, case when n = 1 then one else many end as text, n
from bases
where n > 0
order by section;
