-- grain: one sentence of a list about the videos that are not in the stages
-- reads: video_posts
select
  unnest([
    '{lacking:count} {lacking|video|videos} without impressions, views or viewers {lacking|is|are} excluded.',
    case when count(distinct kind) filter (where is_in_stages) > 1
      then 'A view takes 3 seconds on a page and 2 on a member’s post, so the two rates differ in what they measure.' end
  ]) as text,
  nullif(count(*) filter (where not is_in_stages), 0) as lacking
from video_posts;
