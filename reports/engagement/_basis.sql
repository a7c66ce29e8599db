-- grain: one section of a list: its basis
-- key: section
-- reads: report_posts
-- parameters: $minimum_impressions
select * replace (nullif(n, 0) as n)
from (
  select unnest([
    {'section': 'mix', 'text': 'n = {n:count} {n|post|posts}', 'n': count(*)},
    {
      'section': 'top_and_bottom', 'text': 'out of {n:count} {n|post|posts}',
      'n': count(finite(engagements / nullif(impression_count, 0))) filter (where impression_count >= $minimum_impressions::bigint)
    },
    {'section': 'posts', 'text': '{n:count} {n|post|posts}', 'n': count(*)},
    {'section': 'summary', 'text': 'n = {n:count} {n|post|posts}', 'n': count(*)},
    {'section': 'left_out', 'text': '{n:count} {n|post|posts} in the report', 'n': count(*)}
  ], recursive := true)
  from report_posts
);
