-- grain: one name of a campaign; (none) are the posts without one
-- key: campaign
select name as campaign, * exclude (name)
from workflow_by('campaign')
order by campaign = '(none)', lead_days_p50 desc nulls last, mean_lead_days desc nulls last, posts desc, campaign;
