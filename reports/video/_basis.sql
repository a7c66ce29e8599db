-- grain: one section of a list: its basis
-- key: section
-- reads: video_posts, video_expired
with counted as (
  select
    nullif(count(*), 0) as videos,
    nullif(count(video_view_count), 0) as synced,
    nullif(count(*) - count(video_view_count), 0) as unsynced,
    nullif(count(*) filter (where is_in_stages), 0) as staged,
    nullif(count(seconds), 0) as watched,
    (select nullif(count(*), 0) from video_expired) as expired
  from video_posts
)
select
  unnest(
    [
      {'section': 'stages', 'text': 'n = {staged:count} {staged|video|videos} with all three'},
      {'section': 'by_kind', 'text': 'n = {synced:count} synced {synced|video|videos}'},
      {'section': 'watch_time', 'text': 'n = {watched:count} {watched|video|videos}'},
      {'section': 'posts', 'text': '{videos:count} {videos|video|videos}'},
      {'section': 'not_synced', 'text': '{unsynced:count} {unsynced|video|videos}'},
      {'section': 'expired', 'text': '{expired:count} {expired|video|videos}'},
      {'section': 'summary', 'text': 'n = {videos:count} {videos|video|videos}'},
      {'section': 'left_out', 'text': '{videos:count} {videos|video|videos} in the report'}
    ],
    recursive := true
  ),
  *
from counted;
