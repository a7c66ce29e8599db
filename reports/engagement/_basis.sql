-- grain: one section of a list: its basis
-- key: section
-- reads: report_posts
-- parameters: $minimum_impressions
select
  unnest(
    [
      {'section': 'mix', 'text': 'n = {posts:count} {posts|post|posts}'},
      {'section': 'top_and_bottom', 'text': 'out of {judged:count} {judged|post|posts}'},
      {'section': 'posts', 'text': '{posts:count} {posts|post|posts}'},
      {'section': 'summary', 'text': 'n = {posts:count} {posts|post|posts}'},
      {'section': 'left_out', 'text': '{posts:count} {posts|post|posts} in the report'}
    ],
    recursive := true
  ),
  nullif(count(*), 0) as posts,
  nullif(
    count(finite(engagements / nullif(impression_count, 0))) filter (where impression_count >= $minimum_impressions::bigint), 0
  ) as judged
from report_posts;
