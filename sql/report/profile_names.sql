-- grain: one name of a profile that the report is about
-- key: name
-- reads: report_posts, report_removed
-- parameters: $covers_removed
with covered as (
  select profile, profile_id
  from report_posts
  where not $covers_removed::boolean
  union all
  select profile, profile_id
  from report_removed
  where $covers_removed::boolean
)
select distinct coalesce(profile, profile_id) as name
from covered
order by name;
