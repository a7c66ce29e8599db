-- grain: a part of a run of which the published warehouse has responses that the rebuilt one has not
-- key: workspace, run_id
-- reads: published.loaded_responses, rebuilt.loaded_responses
-- parameters: none
select
  workspace,
  run_id,
  count(*) as responses
from published.loaded_responses
anti join rebuilt.loaded_responses using (workspace, run_id, seq)
group by workspace, run_id
order by workspace, run_id;
