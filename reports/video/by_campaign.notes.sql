-- grain: at most two rows: whether pages and members are added up; campaigns that have videos in the comparison period alone
-- key: text
-- reads: video_gone, video_mixture
select 1 as position, text
from video_mixture
union all by name
select 2 as position, * exclude (dimension)
from video_gone
where dimension = 'campaign'
order by position;
