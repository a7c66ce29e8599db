-- grain: a pattern of the names of figures that could not be read of some posts of the period
-- key: figures
-- reads: report_unreadable, report_unreadable_reads, report_unplaced
select figures
from report_unreadable_reads
semi join (
  select field
  from report_unreadable
  where is_current
  union
  select 'published_at'
  from report_unplaced
  where what in ('undated', 'filtered')
) using (field)
order by figures;
