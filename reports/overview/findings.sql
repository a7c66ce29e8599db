-- grain: one finding of the other reports, the weightiest first
-- key: text
-- reads: overview_findings
select *
from overview_findings
order by weight desc, text;
