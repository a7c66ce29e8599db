-- grain: one section: what it rests on
-- key: section
-- reads: report_read_posts, growth_readings, growth_posts, growth_at_age
with counted as (
  select
    (select count(distinct captured_on) from growth_readings) as days,
    (select count(*) from growth_posts where readings >= 2) as posts_read_again,
    (select count(distinct (workspace, linkedin_post_id)) from growth_at_age where age in (1, 7, 30)) as aged,
    (select count(*) from report_read_posts) as posts
),
bases as (
  select unnest(
    [
      {'section': 'by_day', 'n': days, 'text': '{n:count} {n|day|days} with readings'},
      {'section': 'by_age', 'n': posts_read_again, 'text': '{n:count} {n|post|posts} with two or more readings'},
      {'section': 'cohorts', 'n': aged, 'text': '{n:count} {n|post|posts} read at day 1, 7 or 30'},
      {'section': 'restatements', 'n': posts_read_again, 'text': '{n:count} {n|post|posts} with two or more readings'},
      {'section': 'posts', 'n': posts, 'text': '{n:count} {n|post|posts}'}
    ],
    recursive := true
  )
  from counted
)
select section, text, n
from bases
where n > 0
order by section;
