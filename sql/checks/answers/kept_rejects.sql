-- grain: a record of the batch that could not be taken, and is not kept either
-- key: workspace, run_id, seq
-- reads: staged_rejects, rejected_records
-- parameters: none
select rejects.workspace, rejects.run_id, rejects.seq, rejects.source
from staged_rejects as rejects
anti join rejected_records as known
  on known.source = rejects.source
  and known.payload_sha256 = sha256(rejects.payload)
  and known.payload = rejects.payload
  -- the same record may have come before
  and known.reading <= rejects.reading
order by all;
