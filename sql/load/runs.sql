-- grain: a run that has a part in this load, over all of its workspaces
-- key: run_id
-- reads: staged_parts, run_parts, loaded_responses
-- parameters: none
merge into runs as known
using (
  with responses as (
    select
      run_id,
      workspace,
      sum(requests) as requests,
      sum(posts_read) as posts_read,
      sum(rejected) as rejected
    from loaded_responses
    semi join staged_parts using (run_id)
    group by run_id, workspace
  )
  select
    run_parts.run_id,
    min(run_parts.job) as job,
    min(run_parts.started_at) as started_at,
    case
      when count(*) = count(run_parts.finished_at) then max(run_parts.finished_at)
    end as finished_at,
    case
      when bool_or(run_parts.status = 'running') then 'running'
      when bool_or(run_parts.status = 'interrupted') then 'interrupted'
      when bool_and(run_parts.status = 'succeeded') then 'succeeded'
      when bool_and(run_parts.status = 'failed') then 'failed'
      else 'partial'
    end as status,
    -- a part that was cut off counted nothing itself: what its answers took is known
    coalesce(sum(coalesce(run_parts.requests, responses.requests)), 0)::bigint as requests,
    sum(run_parts.retries)::bigint as retries,
    sum(run_parts.throttled)::bigint as throttled,
    coalesce(sum(responses.posts_read), 0)::bigint as posts_read,
    coalesce(sum(responses.rejected), 0)::bigint as rejected
  from run_parts
  semi join staged_parts using (run_id)
  left join responses using (run_id, workspace)
  group by run_parts.run_id
) as batch
on known.run_id = batch.run_id
when matched then update set
  job = batch.job,
  started_at = batch.started_at,
  finished_at = batch.finished_at,
  status = batch.status,
  requests = batch.requests,
  retries = batch.retries,
  throttled = batch.throttled,
  posts_read = batch.posts_read,
  rejected = batch.rejected
when not matched then insert (
  run_id,
  job,
  started_at,
  finished_at,
  status,
  requests,
  retries,
  throttled,
  posts_read,
  rejected
) values (
  batch.run_id,
  batch.job,
  batch.started_at,
  batch.finished_at,
  batch.status,
  batch.requests,
  batch.retries,
  batch.throttled,
  batch.posts_read,
  batch.rejected
);
