-- grain: one fact of a list about the basis of the figures
-- reads: report_facts
select
  unnest([
    case posts_total when 0 then '{posts:count} {posts|post|posts}' else '{removed:count} of {posts:count} {posts|post|posts} removed' end,
    '{without_emv:count} without EMV',
    '{without_impressions:count} without impressions',
    '{unlinked:count} deleted without a LinkedIn post, not listed'
  ]) as text,
  removed_posts as removed,
  posts_total as posts,
  nullif(columns(['without_emv', 'without_impressions', 'unlinked']), 0) as '\0'
from report_facts;
