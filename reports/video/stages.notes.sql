-- grain: one sentence about the videos that are not in the stages
-- key: text
-- reads: report_posts
-- parameters: none
with videos as (
  select
    count(*) filter (
      where impression_count is null or video_view_count is null or video_viewer_count is null
    ) as lacking,
    count(distinct kind) as kinds
  from report_posts
  where type = 'Video'
),
facts as (
  select
    1 as position,
    case when lacking = 1 then '{n:count} video lacks' else '{n:count} videos lack' end
      || ' impressions, views or viewers: in no stage.' as text,
    lacking as n
  from videos
  where lacking > 0
  union all
  select 2, 'A view lasts 3 seconds or more for a page, 2 or more for a member: their rates are not of one thing.', kinds
  from videos
  where kinds > 1
)
select text, n
from facts
order by position;
