-- grain: one section of a list: its basis
-- key: section
-- reads: report_read_posts, growth_readings, growth_posts, growth_at_age
with counted as (
  select
    (select nullif(count(distinct captured_on), 0) from growth_readings) as days,
    (select nullif(count(*), 0) from growth_posts where is_read_again) as read_again,
    (select nullif(count(distinct (workspace, linkedin_post_id)), 0) from growth_at_age where age in (1, 7, 30)) as aged,
    (select nullif(count(*), 0) from report_read_posts) as posts
)
select
  unnest(
    [
      {'section': 'by_day', 'text': '{days:count} {days|day|days} with readings'},
      {'section': 'by_age', 'text': '{read_again:count} {read_again|post|posts} with two or more readings'},
      {'section': 'cohorts', 'text': '{aged:count} {aged|post|posts} read at day 1, 7 or 30'},
      {'section': 'restatements', 'text': '{read_again:count} {read_again|post|posts} with two or more readings'},
      {'section': 'posts', 'text': '{posts:count} {posts|post|posts}'}
    ],
    recursive := true
  ),
  *
from counted;
