-- grain: a run with a folder that the load reads
-- key: run_id
-- reads: new_parts, loaded_responses, run_parts
-- parameters: none
delete from runs
where run_id in (select run_id from new_parts);

insert into runs by name
with responses as (
  select
    run_id,
    workspace,
    sum(requests) as requests,
    sum(posts_read) as posts_read,
    sum(rejected) as rejected
  from loaded_responses
  where run_id in (select run_id from new_parts)
  group by run_id, workspace
)
select
  run_parts.run_id,
  min(run_parts.job) as job,
  min(run_parts.started_at) as started_at,
  case when count(*) = count(run_parts.finished_at) then max(run_parts.finished_at) end as finished_at,
  case
    when bool_or(run_parts.status = 'running') then 'running'
    when bool_or(run_parts.status = 'interrupted') then 'interrupted'
    when bool_and(run_parts.status = 'succeeded') then 'succeeded'
    when bool_and(run_parts.status = 'failed') then 'failed'
    else 'partial'
  end as status,
  -- an interrupted run has no totals of its own, so they are counted from its responses
  coalesce(sum(coalesce(run_parts.requests, responses.requests)), 0)::bigint as requests,
  sum(run_parts.retries)::bigint as retries,
  sum(run_parts.throttled)::bigint as throttled,
  coalesce(sum(responses.posts_read), 0)::bigint as posts_read,
  coalesce(sum(responses.rejected), 0)::bigint as rejected
from run_parts
left join responses using (run_id, workspace)
where run_parts.run_id in (select run_id from new_parts)
group by run_parts.run_id;
