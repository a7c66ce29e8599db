-- grain: one finding of the other reports, the weightiest first
-- key: text
-- reads: overview_findings
select
  case report when 'emv' then 'EMV' when 'engagement' then 'Engagement' when 'video' then 'Video' else 'Campaigns' end as subject_of,
  *
from overview_findings
order by weight desc, text;
