-- grain: a run folder of which nothing more can come
-- key: run
-- reads: run_parts
-- parameters: $workspaces (null for all)
select workspace || '/' || run_id as run
from run_parts
where is_complete
  and ($workspaces::varchar[] is null or list_contains($workspaces::varchar[], workspace))
order by run;
