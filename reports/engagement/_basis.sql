-- grain: one row: the basis of the posts that are ranked
-- reads: report_posts
-- parameters: $minimum_impressions
select
  'top_and_bottom' as section,
  'out of {n:count} {n|post|posts}' as text,
  nullif(
    count(finite(engagements / impression_count)) filter (where impression_count >= $minimum_impressions::bigint), 0
  ) as n
from report_posts;
