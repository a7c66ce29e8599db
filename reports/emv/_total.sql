-- grain: one row: all posts of the report, each once, the total of the tables
-- reads: emv_groups
select * exclude (dimension, part_of, workspace, profile_id, name, kind)
from emv_groups
where dimension = 'all';
