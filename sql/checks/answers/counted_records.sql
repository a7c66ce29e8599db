-- grain: a response of the batch whose records are not all taken or rejected, or not all counted
-- key: workspace, run_id, seq
-- reads: staged_responses, staged_records, staged_post_answers, staged_rejects, loaded_responses
-- parameters: none
with told as (
  select workspace, reading, problem is null as is_taken, problem is not null as is_rejected
  from staged_records
  union all
  select workspace, reading, false as is_taken, false as is_rejected
  from staged_post_answers
  union all
  -- an answer that could not be taken at all
  select workspace, reading, false as is_taken, true as is_rejected
  from staged_rejects
  anti join staged_records using (workspace, reading)
),
counted as (
  select
    workspace,
    reading,
    count(*) as elements,
    count(*) filter (where is_taken) as taken,
    count(*) filter (where is_rejected) as rejected
  from told
  group by workspace, reading
)
select
  responses.workspace,
  responses.run_id,
  responses.seq,
  responses.elements as given,
  counted.taken,
  counted.rejected
from staged_responses as responses
left join counted using (workspace, reading)
left join loaded_responses as ledger using (workspace, run_id, seq)
-- what a pruned answer told is known from the ledger alone
where responses.elements is not null
  and (
    responses.elements <> coalesce(counted.elements, 0)
    or ledger.posts_read is distinct from coalesce(counted.taken, 0)
    or ledger.rejected is distinct from coalesce(counted.rejected, 0)
  )
order by all;
