-- grain: a bad record, once for each source and payload, as it first came
-- key: source, payload_sha256
-- reads: staged_rejects
-- parameters: none
merge into rejected_records as known
using (
  select *, sha256(payload) as payload_sha256
  from staged_rejects
  qualify row_number() over (
    partition by source, payload_sha256
    order by reading, reason
  ) = 1
) as batch
on known.source = batch.source
  and known.payload_sha256 = batch.payload_sha256
when matched and batch.reading < known.reading then update set
  run_id = batch.run_id,
  reason = batch.reason,
  rejected_at = batch.fetched_at,
  reading = batch.reading
when not matched then insert (
  run_id,
  source,
  reason,
  payload,
  rejected_at,
  workspace,
  payload_sha256,
  reading
) values (
  batch.run_id,
  batch.source,
  batch.reason,
  batch.payload,
  batch.fetched_at,
  batch.workspace,
  batch.payload_sha256,
  batch.reading
);
