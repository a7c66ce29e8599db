-- grain: one part of the change of the figure that the document leads with, the weightiest first
-- key: dimension, name
-- reads: overview_findings
select *
from overview_findings
order by weight desc nulls last, dimension, name;
