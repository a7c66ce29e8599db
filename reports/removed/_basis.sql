-- grain: one section of a list: its basis
-- key: section
-- reads: report_removed
select * replace (nullif(n, 0) as n)
from (
  select unnest([
    {'section': 'by_month', 'text': 'n = {n:count} removed {n|post|posts}', 'n': count(*)},
    {'section': 'by_person', 'text': '{n:count} {n|person|people}', 'n': count(distinct removed_by)},
    {'section': 'posts', 'text': '{n:count} {n|post|posts}', 'n': count(*)}
  ], recursive := true)
  from report_removed
);
