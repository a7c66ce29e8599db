-- grain: one sentence of a list about the videos that are not shown, or that are added up
-- reads: video_posts, video_mixture
select
  unnest([
    (select text from video_mixture),
    '{lacking:count} {lacking|video|videos} without watch time or views {lacking|is|are} excluded.'
  ]) as text,
  nullif(count(*) - count(seconds), 0) as lacking
from video_posts;
