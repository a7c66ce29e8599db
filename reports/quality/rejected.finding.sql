-- grain: at most one row; none if nothing was rejected
-- reads: quality_facts
select
  '{records:count} {records|record was|records were} rejected for {reasons:count} {reasons|reason|reasons}, the last on {last_at:datetime}' as text,
  rejected_records as records,
  reasons,
  last_rejected_at as last_at
from quality_facts
where rejected_records > 0;
