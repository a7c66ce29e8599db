-- grain: one reason for which records or events of a source were rejected
-- key: source, reason
-- reads: report_rejects
select
  source,
  reason,
  count(*) as records,
  min(rejected_at) as first_rejected_at,
  max(rejected_at) as last_rejected_at
from report_rejects
group by source, reason
order by records desc, last_rejected_at desc, source, reason;
