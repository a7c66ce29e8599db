-- grain: a run folder of which nothing more can come
-- key: run
-- reads: run_parts
-- parameters: none
select workspace || '/' || run_id as run
from run_parts
where is_complete
order by run;
