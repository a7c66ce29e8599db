-- grain: at most one row: whether pages and members are added up
-- key: none
-- reads: video_mixture
-- parameters: none
select text
from video_mixture;
