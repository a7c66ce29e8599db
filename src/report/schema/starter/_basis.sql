-- grain: one section: what it rests on
-- key: section
-- reads: report_posts
with counted as (
  select count(engagements) as n
  from report_posts
)
select section, 'n = {n:count} posts with engagement' as text, n
from counted
cross join (values ('by_month'), ('by_profile')) as sections (section)
where n > 0
order by section;
