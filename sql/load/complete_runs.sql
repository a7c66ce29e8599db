-- grain: a run folder that can receive no further files
-- key: run
-- reads: run_parts
-- parameters: $workspaces (null for all)
select workspace || '/' || run_id as run
from run_parts
where is_complete
  and workspace in (
    select unnest(coalesce($workspaces::varchar[], (select list(distinct workspace) from run_parts)))
  )
order by run;
