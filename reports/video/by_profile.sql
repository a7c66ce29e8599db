-- grain: one profile of one workspace
-- key: workspace, profile_id
select name as profile, workspace, kind, * exclude (name, workspace, profile_id, kind), profile_id
from video_by('profile')
order by views desc nulls last, interactions desc nulls last, videos desc, profile, workspace, profile_id;
