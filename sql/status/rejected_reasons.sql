-- grain: a reason for which records of a source were rejected, or a field of its records with values that could not be read
-- key: source, field, reason
-- reads: rejected_records
-- parameters: none
--
-- The reason of a value names the value, so that of the newest stands for all of its field.
select
  source,
  field,
  max_by(reason, (rejected_at, run_id, seq, reason)) as reason,
  count(*) as records,
  max(rejected_at) as last_rejected_at
from rejected_records
group by source, field, case when field is null then reason end
order by field is not null, records desc, source, field, reason;
