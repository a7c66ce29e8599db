-- grain: one name of a label; (none) are the videos without one. A video counts once under each of its names
-- key: label
select name as label, * exclude (name, workspace, profile_id, kind)
from video_by('label')
order by label = '(none)', views desc nulls last, interactions desc nulls last, videos desc, label;
