-- grain: one workspace's part of a run
-- key: run_id, workspace
-- reads: none
-- parameters: $parts (a JSON array)
create or replace temp table staged_parts as
select
  part.run_id,
  part.workspace,
  part.job,
  part.started_at::timestamptz as started_at,
  part.finished_at::timestamptz as finished_at,
  part.status,
  part.requests,
  part.retries,
  part.throttled
from (
  select unnest(
    from_json(
      $parts::json,
      '[{
        "run_id": "VARCHAR", "workspace": "VARCHAR", "job": "VARCHAR", "started_at": "VARCHAR",
        "finished_at": "VARCHAR", "status": "VARCHAR", "requests": "BIGINT", "retries": "BIGINT",
        "throttled": "BIGINT"
      }]'
    )
  ) as part
);

-- A part changes only forward: from running to its end, or to having been cut off.
merge into run_parts as known
using staged_parts as batch
on known.run_id = batch.run_id
  and known.workspace = batch.workspace
when matched and known.finished_at is null and known.status <> batch.status then update set
  finished_at = batch.finished_at,
  status = batch.status,
  requests = batch.requests,
  retries = batch.retries,
  throttled = batch.throttled
when not matched then insert (
  run_id,
  workspace,
  job,
  started_at,
  finished_at,
  status,
  requests,
  retries,
  throttled
) values (
  batch.run_id,
  batch.workspace,
  batch.job,
  batch.started_at,
  batch.finished_at,
  batch.status,
  batch.requests,
  batch.retries,
  batch.throttled
);
