-- grain: one section of a list: its basis
-- key: section
-- reads: growth_posts, growth_facts
select
  unnest(
    [
      {'section': 'by_day', 'text': '{days_read:count} {days_read|day|days} with readings'},
      {'section': 'by_age', 'text': '{read_again:count} {read_again|post|posts} with two or more readings'},
      {'section': 'cohorts', 'text': '{aged:count} {aged|post|posts} read at day 1, 7 or 30'},
      {'section': 'restatements', 'text': '{read_again:count} {read_again|post|posts} with two or more readings'},
      {'section': 'posts', 'text': '{posts:count} {posts|post|posts}'}
    ],
    recursive := true
  ),
  nullif(days_read, 0) as days_read,
  nullif(posts_read_again, 0) as read_again,
  nullif(posts, 0) as posts,
  (select nullif(count(*), 0) from growth_posts where is_aged) as aged
from growth_facts;
