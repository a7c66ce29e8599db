-- grain: at most one row; none where everything was taken
-- key: none
-- reads: report_rejects
-- parameters: none
with rejects as (
  select count(*) as records, count(distinct (source, reason)) as reasons, max(rejected_at) as last_at
  from report_rejects
)
select
  case when records = 1 then '1 record was not taken' else '{records:count} records were not taken' end
    || case when reasons = 1 then ', all for one reason' else ', for {reasons:count} reasons' end
    || '; the last on {last_at:datetime}' as text,
  records,
  reasons,
  last_at
from rejects
where records > 0;
