-- grain: the newest run that can have contributed to the report's data
-- key: run_id
-- reads: report_runs
select run_id, job, finished_at
from report_runs
order by started_at desc, run_id desc
limit 1;
