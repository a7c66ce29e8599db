-- grain: a run folder of which nothing more can come
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
