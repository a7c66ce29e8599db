-- grain: at most one row; none if every profile of the comparison period has posts
select *
from gone_note('profile', 'engagement_rate');
