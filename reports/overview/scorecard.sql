-- grain: one figure that some post has
-- key: figure
-- reads: overview_scorecard
select * exclude (position, is_own, is_level)
from overview_scorecard
order by position;
