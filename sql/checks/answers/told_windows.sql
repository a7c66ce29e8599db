-- grain: an answer of the batch about a window that the window's row has not, nor one that came later
-- key: workspace, run_id, seq
-- reads: staged_responses, extract_windows
-- parameters: none
select responses.workspace, responses.run_id, responses.seq
from staged_responses as responses
anti join extract_windows as windows
  on windows.run_id = responses.run_id
  and windows.workspace = responses.workspace
  and windows.profile_id = responses.profile_id
  and windows.start_date = responses.start_date
  and windows.end_date = responses.end_date
  and windows.seq >= responses.seq
where responses.kind = 'analytics'
order by all;
