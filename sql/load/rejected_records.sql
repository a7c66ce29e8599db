-- grain: a rejected record, or a value of one that cannot be read, once for each source, field and payload, in its first occurrence
-- key: source, field, payload_sha256
-- reads: new_responses, rejected_records
-- parameters: $rejects (a JSON array)
create or replace temp table new_rejects as
select reject.*, responses.fetched_at as rejected_at, sha256(reject.payload) as payload_sha256
from rows_of(
  $rejects,
  '[{
    "workspace": "VARCHAR", "run_id": "VARCHAR", "seq": "BIGINT",
    "source": "VARCHAR", "field": "VARCHAR", "reason": "VARCHAR", "payload": "VARCHAR"
  }]'
) as reject
join new_responses as responses using (workspace, run_id, seq);

create or replace temp table first_rejects as
from (
  from new_rejects
  union all by name
  from rejected_records
  semi join new_rejects using (source, payload_sha256)
)
qualify row_number() over (
  partition by source, field, payload_sha256
  order by rejected_at, run_id, seq, reason
) = 1;

delete from rejected_records
using first_rejects
where rejected_records.source = first_rejects.source
  and rejected_records.payload_sha256 = first_rejects.payload_sha256;

insert into rejected_records by name
from first_rejects;
