-- grain: one name of a label; (none) are the posts without one. A post counts once under each of its names
-- key: label
select name as label, * exclude (name)
from workflow_by('label')
order by label = '(none)', lead_days_p50 desc nulls last, mean_lead_days desc nulls last, posts desc, label;
