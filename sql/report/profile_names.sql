-- grain: one name of a profile that the report is about, with its workspace if another profile of the scope has the same name
-- key: name
-- reads: report_posts, report_removed, report_coverage
-- parameters: $covers_removed
with covered as (
  select workspace, profile_id
  from report_posts
  where not $covers_removed::boolean
  union
  select workspace, profile_id
  from report_removed
  where $covers_removed::boolean
)
select report_coverage.profile as name
from covered
join report_coverage using (workspace, profile_id)
order by name;
