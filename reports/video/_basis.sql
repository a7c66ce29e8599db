-- grain: one section of a list: its basis
-- key: section
-- reads: video_posts
select * replace (nullif(n, 0) as n)
from (
  select unnest([
    {'section': 'stages', 'text': 'n = {n:count} {n|video|videos} with all three', 'n': count(*) filter (where is_in_stages)},
    {'section': 'by_kind', 'text': 'n = {n:count} synced {n|video|videos}', 'n': count(video_view_count)},
    {'section': 'watch_time', 'text': 'n = {n:count} {n|video|videos}', 'n': count(seconds)}
  ], recursive := true)
  from video_posts
);
