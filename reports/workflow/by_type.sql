-- grain: one type, as the API names it
-- key: type
select name as type, * exclude (name)
from workflow_by('type')
order by lead_days_p50 desc nulls last, mean_lead_days desc nulls last, posts desc, type;
