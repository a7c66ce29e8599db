-- grain: a figure of a run that is not what its parts and responses add up to
-- key: run_id, figure
-- reads: runs, run_parts, loaded_responses
-- parameters: none
with responses as (
  select
    run_id,
    workspace,
    sum(requests) as requests,
    sum(posts_read) as posts_read,
    sum(rejected) as rejected
  from loaded_responses
  group by run_id, workspace
),
parts as (
  select
    run_id,
    -- a part that was cut off counted nothing itself: what its answers took is known
    coalesce(sum(coalesce(run_parts.requests, responses.requests)), 0) as requests,
    sum(run_parts.retries) as retries,
    sum(run_parts.throttled) as throttled,
    coalesce(sum(responses.posts_read), 0) as posts_read,
    coalesce(sum(responses.rejected), 0) as rejected
  from run_parts
  full join responses using (run_id, workspace)
  group by run_id
),
figures as (
  select
    run_id,
    unnest(['requests', 'retries', 'throttled', 'posts_read', 'rejected']) as figure,
    unnest([runs.requests, runs.retries, runs.throttled, runs.posts_read, runs.rejected]) as told,
    unnest([parts.requests, parts.retries, parts.throttled, parts.posts_read, parts.rejected]) as counted
  from runs
  full join parts using (run_id)
)
select run_id, figure, told, counted
from figures
where told is distinct from counted
order by all;
