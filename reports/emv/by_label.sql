-- grain: one name of a label; (none) are the posts without one. A post counts once under each of its names
-- key: label
select name as label, * exclude (name, workspace, profile_id, kind)
from emv_by('label')
order by label = '(none)', emv desc nulls last, interactions desc nulls last, posts desc, label;
