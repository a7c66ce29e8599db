-- grain: at most two rows: whether pages and members are added up; labels that have videos in the comparison period alone
-- key: text
-- reads: video_gone, video_mixture
select 1 as position, text
from video_mixture
union all by name
select 2 as position, * exclude (dimension)
from video_gone
where dimension = 'label'
order by position;
