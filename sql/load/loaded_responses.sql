-- grain: a response that this load takes
-- key: workspace, run_id, seq
-- reads: staged_responses, staged_records, staged_rejects
-- parameters: none
insert into loaded_responses
select
  responses.workspace,
  responses.run_id,
  responses.seq,
  responses.kind,
  responses.outcome,
  responses.fetched_at,
  responses.requests,
  coalesce(responses.known_posts_read, taken.posts_read, 0) as posts_read,
  coalesce(responses.known_rejected, rejects.rejected, 0) as rejected
from staged_responses as responses
left join (
  select workspace, reading, count(*) as posts_read
  from staged_records
  where problem is null
  group by workspace, reading
) as taken using (workspace, reading)
left join (
  select workspace, reading, count(*) as rejected
  from staged_rejects
  group by workspace, reading
) as rejects using (workspace, reading);
