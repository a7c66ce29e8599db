-- grain: at most two rows: whether pages and members are added up; profiles that have videos in the comparison period alone
-- key: text
-- reads: video_mixture
select 1 as position, text
from video_mixture
union all by name
select 2 as position, *
from gone_notes('videos', 'profile', 'views')
order by position;
