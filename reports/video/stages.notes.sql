-- grain: one sentence about the videos that are not in the stages
-- key: text
-- reads: report_posts
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
  select unnest(
    [
      {
        'position': 1,
        'text': '{n:count} {n|video|videos} without impressions, views or viewers {n|is|are} excluded.',
        'n': nullif(lacking, 0)
      },
      {
        'position': 2,
        'text': 'A view takes 3 seconds on a page and 2 on a member’s post, so the two rates differ in what they measure.',
        'n': case when kinds > 1 then kinds end
      }
    ],
    recursive := true
  )
  from videos
)
select text, n
from facts
where n is not null
order by position;
