-- grain: a response whose raw data were removed on purpose, as if the load had read it
-- key: workspace, run_id, seq
-- reads: published.loaded_responses, carried_windows, readings, carried_runs
-- parameters: none
insert into new_responses by name
with read as (
  select workspace, run_id, seq, count(*) as readings
  from readings
  group by workspace, run_id, seq
)
select
  responses.workspace,
  responses.run_id,
  responses.seq,
  responses.kind,
  windows.profile_id,
  windows.start_date,
  windows.end_date,
  responses.outcome,
  windows.http_status,
  responses.fetched_at,
  responses.requests,
  windows.error,
  -- of a window that was read twice only the last is known, and of one that was erased nothing
  coalesce(windows.records, coalesce(read.readings, 0) + responses.rejected) as records,
  windows.distinct_posts,
  windows.first_day,
  windows.last_day,
  windows.reason,
  windows.outside,
  windows.part_of,
  if(responses.kind = 'analytics', coalesce(read.readings, 0), responses.posts_read) as posts_read,
  responses.rejected
from published.loaded_responses as responses
semi join carried_runs using (workspace, run_id)
left join carried_windows as windows using (workspace, run_id, seq)
left join read using (workspace, run_id, seq);
