-- grain: one group of videos of similar length; videos of unknown length are left out
-- key: length
select name as length, * exclude (name, workspace, profile_id, kind)
from video_by('length')
order by length_order(length);
