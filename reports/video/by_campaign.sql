-- grain: one name of a campaign; (none) are the videos without one
-- key: campaign
select name as campaign, * exclude (name, workspace, profile_id, kind)
from video_by('campaign')
order by campaign = '(none)', views desc nulls last, interactions desc nulls last, videos desc, campaign;
