-- grain: one fact of a list about the basis of the figures
-- reads: report_removed, report_all, report_unlinked_removals
with counted as (
  select
    count(*) as removed,
    nullif(count(*) filter (where emv is null), 0) as without_emv,
    nullif(count(*) filter (where impression_count is null), 0) as without_impressions,
    (select count(*) from report_all) as posts,
    (select nullif(count(*), 0) from report_unlinked_removals) as unlinked
  from report_removed
)
select
  unnest([
    case posts when 0 then '{posts:count} {posts|post|posts}' else '{removed:count} of {posts:count} {posts|post|posts} removed' end,
    '{without_emv:count} without EMV',
    '{without_impressions:count} without impressions',
    '{unlinked:count} deleted without a LinkedIn post, not listed'
  ]) as text,
  *
from counted;
