-- grain: one section: what it rests on
-- key: section
-- reads: report_posts, video_expired
with counted as (
  select
    count(*) as videos,
    count(video_view_count) as synced,
    count(*) filter (
      where impression_count is not null and video_view_count is not null and video_viewer_count is not null
    ) as staged,
    count(video_watch_time_seconds / nullif(video_view_count, 0)) as watched,
    count(distinct (workspace, profile_id)) as profiles,
    count(distinct campaign) as campaigns,
    len(list_distinct(flatten(list(labels order by linkedin_post_id)))) as labels
  from report_posts
  where type = 'Video'
),
expired as (
  select count(*) as expired
  from video_expired
),
bases as (
  select unnest(
    [
      {'section': 'stages', 'n': staged, 'text': 'n = {n:count} {n|video|videos} with all three'},
      {'section': 'by_kind', 'n': synced, 'text': 'n = {n:count} synced {n|video|videos}'},
      {'section': 'watch_time', 'n': watched, 'text': 'n = {n:count} {n|video|videos}'},
      {'section': 'watch_time_videos', 'n': watched, 'text': '{n:count} {n|video|videos}'},
      {'section': 'by_month', 'n': synced, 'text': 'n = {n:count} synced {n|video|videos}'},
      {'section': 'by_profile', 'n': profiles, 'text': '{n:count} {n|profile|profiles}'},
      {'section': 'by_campaign', 'n': campaigns, 'text': '{n:count} {n|campaign|campaigns}'},
      {'section': 'by_label', 'n': labels, 'text': '{n:count} {n|label|labels}'},
      {'section': 'posts', 'n': videos, 'text': '{n:count} {n|video|videos}'},
      {'section': 'not_synced', 'n': videos - synced, 'text': '{n:count} {n|video|videos}'},
      {'section': 'expired', 'n': expired, 'text': '{n:count} {n|video|videos}'},
      {'section': 'summary', 'n': videos, 'text': 'n = {n:count} {n|video|videos}'},
      {'section': 'left_out', 'n': videos, 'text': '{n:count} {n|video|videos} in the report'}
    ],
    recursive := true
  )
  from counted
  cross join expired
)
select section, text, n
from bases
where n > 0
order by section;
