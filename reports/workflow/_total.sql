-- grain: one row: all posts of the report, each once, the total of the tables
-- reads: workflow_groups
select * exclude (dimension, name)
from workflow_groups
where dimension = 'all';
