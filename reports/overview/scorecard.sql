-- grain: one figure that some post has
-- key: figure
-- reads: overview_scorecard
select * exclude (position)
from overview_scorecard
order by position;
