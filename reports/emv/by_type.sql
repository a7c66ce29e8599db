-- grain: one type, as the API names it
-- key: type
select name as type, * exclude (name, workspace, profile_id, kind)
from emv_by('type')
order by emv desc nulls last, interactions desc nulls last, posts desc, type;
