-- grain: a pattern of the names of figures that could not be read of some posts of the period
-- key: figures
-- reads: report_unreadable, unreadable_reads, unplaced_posts
select figures
from unreadable_reads
semi join (
  select field
  from report_unreadable
  where is_current
  union
  select 'published_at'
  from unplaced_posts
  where what in ('undated', 'filtered')
) using (field)
order by figures;
