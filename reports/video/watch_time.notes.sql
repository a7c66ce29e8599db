-- grain: one sentence of a list about the videos that are not shown, or that the sentence above adds up
-- reads: report_facts, video_posts
select
  unnest([
    case when count(seconds) >= 10 then (select mixture from report_facts) end,
    '{lacking:count} {lacking|video|videos} without watch time or views {lacking|is|are} excluded.'
  ]) as text,
  nullif(count(*) - count(seconds), 0) as lacking
from video_posts;
