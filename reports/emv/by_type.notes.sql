-- grain: at most one row; none if every type of the comparison period has posts
-- reads: emv_gone
select * exclude (dimension)
from emv_gone
where dimension = 'type';
