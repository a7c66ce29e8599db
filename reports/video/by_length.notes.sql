-- grain: at most two rows: the videos of unknown length; whether pages and members are added up
-- key: text
-- reads: report_posts, video_mixture
with counted as (
  select
    nullif(count(*) filter (where media.video_seconds is null), 0) as unmeasured,
    count(media.video_seconds) as measured
  from report_posts
  where type = 'Video'
)
select
  1 as position,
  '{unmeasured:count} {unmeasured|video|videos} of unknown length {unmeasured|is|are} excluded.' as text,
  unmeasured
from counted
where measured > 0
union all by name
select 2 as position, text
from video_mixture
cross join counted
where measured > 0
order by position;
