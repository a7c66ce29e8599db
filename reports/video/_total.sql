-- grain: one row: all videos of the report, each once; stands under the tables
-- key: none
-- reads: video_groups
-- parameters: none
select * exclude (dimension, part_of, workspace, profile_id, name, kind, trend), young_views as not_final
from video_groups
where dimension = 'all';
