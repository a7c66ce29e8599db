-- grain: at most one row; none if every label of the comparison period has posts
-- reads: engagement_gone
select * exclude (dimension)
from engagement_gone
where dimension = 'label';
