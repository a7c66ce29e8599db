-- grain: at most one row; none if every campaign of the comparison period has posts
select *
from gone_note('campaign', 'engagement_rate');
