-- grain: a loaded response, as <workspace>/<run_id>/<seq>, whose raw data were not removed after their time
-- key: key
-- reads: loaded_responses, run_parts
-- parameters: $runs_before (a day, or null)
select workspace || '/' || run_id || '/' || seq as key
from loaded_responses
join run_parts using (workspace, run_id)
where $runs_before is null or started_at >= $runs_before::timestamptz
order by key;
