-- grain: a loaded response of a run folder that can still receive files
-- key: run, seq
-- reads: run_parts, loaded_responses
-- parameters: $workspaces (null for all)
select workspace || '/' || run_id as run, seq
from loaded_responses
semi join (
  select workspace, run_id
  from run_parts
  where not is_complete
    and workspace in (
      select unnest(coalesce($workspaces::varchar[], (select list(distinct workspace) from run_parts)))
    )
) as incomplete using (workspace, run_id)
order by run, seq;
