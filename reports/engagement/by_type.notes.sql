-- grain: at most one row; none if every type of the comparison period has posts
-- reads: engagement_gone
select * exclude (dimension)
from engagement_gone
where dimension = 'type';
