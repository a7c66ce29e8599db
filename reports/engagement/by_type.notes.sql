-- grain: at most one row; none if every type of the comparison period has posts
select *
from gone_note('type', 'engagement_rate');
