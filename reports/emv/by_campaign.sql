-- grain: one name of a campaign; (none) are the posts without one
-- key: campaign
select name as campaign, * exclude (name, workspace, profile_id, kind)
from emv_by('campaign')
order by campaign = '(none)', emv desc nulls last, interactions desc nulls last, posts desc, campaign;
