-- grain: one section of a list: its basis
-- key: section
-- reads: report_removed
select
  unnest(
    [
      {'section': 'by_month', 'text': 'n = {posts:count} removed {posts|post|posts}'},
      {'section': 'by_person', 'text': '{people:count} {people|person|people}'},
      {'section': 'posts', 'text': '{posts:count} {posts|post|posts}'}
    ],
    recursive := true
  ),
  nullif(count(*), 0) as posts,
  nullif(count(distinct removed_by), 0) as people
from report_removed;
