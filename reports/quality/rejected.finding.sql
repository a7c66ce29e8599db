-- grain: at most one row; none if nothing was rejected
-- reads: report_rejects
with rejects as (
  select count(*) as records, count(distinct reason) as reasons, max(rejected_at) as last_at
  from report_rejects
)
select
  '{records:count} {records|record was|records were} rejected for {reasons:count} {reasons|reason|reasons}, the last on {last_at:datetime}'
    as text,
  records,
  reasons,
  last_at
from rejects
where records > 0;
