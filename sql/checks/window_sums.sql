-- grain: a window that does not say what the response that it rests on does
-- key: run_id, workspace, profile_id, start_date, end_date
-- reads: extract_windows, loaded_responses
-- parameters: none
select windows.run_id, windows.workspace, windows.profile_id, windows.start_date, windows.end_date
from extract_windows as windows
anti join loaded_responses as responses
  on responses.workspace = windows.workspace
  and responses.run_id = windows.run_id
  and responses.seq = windows.seq
  and responses.kind = 'analytics'
  and responses.posts_read = windows.posts_read
  and responses.requests = windows.requests
  and responses.fetched_at = windows.fetched_at
  and (responses.outcome = 'succeeded' or windows.status = 'failed')
order by all;
