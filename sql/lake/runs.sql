-- grain: a run, assembled from the shards' parts
-- key: run_id
-- reads: shard_rows
select
  run_id,
  min(job) as job,
  min(started_at) as started_at,
  case when count(*) = count(finished_at) then max(finished_at) end as finished_at,
  case
    when bool_or(status = 'running') then 'running'
    when bool_or(status = 'interrupted') then 'interrupted'
    when bool_and(status = 'succeeded') then 'succeeded'
    when bool_and(status = 'failed') then 'failed'
    else 'partial'
  end as status,
  sum(requests)::bigint as requests,
  sum(retries)::bigint as retries,
  sum(throttled)::bigint as throttled,
  sum(posts_read)::bigint as posts_read,
  sum(rejected)::bigint as rejected
from shard_rows
group by run_id
