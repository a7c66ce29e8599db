-- grain: at most one row; none if every label of the comparison period has posts
select *
from gone_note('label', 'engagement_rate');
