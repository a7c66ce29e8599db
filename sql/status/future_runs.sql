-- grain: a run that read something later than is possible: under a clock that was wrong
-- key: run_id
-- reads: loaded_responses
-- parameters: $until
select run_id, max(fetched_at) as last_read_at
from loaded_responses
where fetched_at > $until and outcome <> 'failed'
group by run_id
order by run_id;
