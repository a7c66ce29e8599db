-- grain: one fact about the basis of the figures, in the page's order
-- key: text
-- reads: coverage_of, report_facts
select *
from coverage_of('posts', 'emv')
where position in (10, 50)
union all by name
select
  unnest([11, 12, 13, 14]) as position,
  unnest([
    '{detailed:count} with details',
    '{approved:count} with approvals read',
    '{commented:count} with comments read',
    '{late:count} created after publication'
  ]) as text,
  detailed,
  approved,
  commented,
  nullif(late, 0) as late
from report_facts
order by position;
