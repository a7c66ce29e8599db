-- grain: one row: all posts of the report, each once; stands under the tables
-- key: none
-- reads: engagement_groups
-- parameters: none
select * exclude (dimension, part_of, workspace, profile_id, name, kind, trend)
from engagement_groups
where dimension = 'all';
