-- grain: at most one row; none if nothing was rejected
-- reads: report_facts
select
  '{rejected_records:count} {rejected_records|record was|records were} rejected for {reasons:count} {reasons|reason|reasons}, the last on {last_rejected_at:datetime}' as text,
  *
from report_facts
where rejected_records > 0;
