-- grain: one row: all posts of the report, each once, the total of the tables
-- reads: engagement_groups
select * exclude (dimension, part_of, workspace, profile_id, name, kind, trend)
from engagement_groups
where dimension = 'all';
