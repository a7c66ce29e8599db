-- grain: one kind of videos that the figures leave out, or that may still change, or need an explanation
-- key: what
-- reads: left_out_of, report_posts, video_expired
with reasons as (
  select position, what, posts as videos, impressions, views, is_counted, why
  from left_out_of(
    'videos',
    [
      'Not readable', 'Removed posts', 'Posts not removed', 'Videos not synced', 'Views without impressions', 'Views without viewers',
      'Views without watch time', 'Negative count', 'More views than impressions', 'Not final', 'Without a time', 'Compared at equal age',
      'Neither page nor member'
    ],
    'Every video has all figures, and is at least 14 days old.'
  )
  union all
  select
    22,
    'With expired figures',
    count(*),
    sum(impression_count),
    sum(video_view_count),
    true,
    'LinkedIn no longer gives some of their figures. Counted with the last known ones.'
  from video_expired
  join report_posts using (workspace, linkedin_post_id)
  having count(*) > 0
)
select * exclude (position)
from reasons
order by position;
