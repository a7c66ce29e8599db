-- grain: one name of a profile that has posts in the report, or of any where none has, with its workspace if another profile of the scope has the same name
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
from report_coverage
left join covered using (workspace, profile_id)
where covered.profile_id is not null or not exists (from covered)
order by name;
