-- grain: one weekday of publication; posts without a time are left out
-- key: weekday
select name::integer as weekday, * exclude (name)
from workflow_by('weekday')
order by weekday;
