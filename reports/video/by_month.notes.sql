-- grain: at most one row: whether pages and members are added up
-- reads: video_mixture
select text
from video_mixture;
