-- grain: one row: all videos of the report, each once, the total of the tables
-- reads: video_groups
select * exclude (dimension, part_of, workspace, profile_id, name, kind, trend), young_views as not_final
from video_groups
where dimension = 'all';
