-- grain: a rejected record whose response is not in the ledger as one with rejected records
-- key: source, payload_sha256
-- reads: rejected_records, loaded_responses
-- parameters: none
select rejects.source, rejects.payload_sha256
from rejected_records as rejects
anti join loaded_responses as responses
  -- a reading ends with its run and its number
  on responses.workspace = rejects.workspace
  and responses.run_id = rejects.run_id
  and responses.seq = try_cast(right(rejects.reading, 9) as bigint)
  and responses.fetched_at = rejects.rejected_at
  and responses.rejected > 0
order by all;
