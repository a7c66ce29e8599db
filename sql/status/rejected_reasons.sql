-- grain: a reason for which records of a source were rejected
-- key: source, reason
-- reads: rejected_records
-- parameters: none
select
  source,
  reason,
  count(*) as records,
  max(rejected_at) as last_rejected_at
from rejected_records
group by source, reason
order by records desc, source, reason;
