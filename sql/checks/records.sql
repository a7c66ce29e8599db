-- grain: a response of the load with records that are neither among the readings nor among the rejected ones
-- key: workspace, run_id, seq
-- reads: new_responses, readings
-- parameters: none
with appended as (
  select workspace, run_id, seq, count(*) as readings
  from readings
  semi join new_responses using (workspace, run_id, seq)
  group by workspace, run_id, seq
)
select responses.workspace, responses.run_id, responses.seq
from new_responses as responses
left join appended using (workspace, run_id, seq)
where responses.kind = 'analytics'
  and (
    coalesce(appended.readings, 0) <> responses.posts_read
    or coalesce(responses.records, 0) <> responses.posts_read + responses.rejected
  );
