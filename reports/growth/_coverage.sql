-- grain: one fact about what the figures rest on, in the page's order
-- key: text
-- reads: report_read_posts, report_removed, report_settings, growth_readings, growth_posts
with posts as (
  select
    count(*) as posts,
    count(*) filter (where growth_posts.readings is null) as unread,
    count(*) filter (where growth_posts.readings = 1) as once,
    count(*) filter (where growth_posts.first_age > 7) as late
  from report_read_posts
  left join growth_posts using (workspace, linkedin_post_id)
),
days as (
  select max(captured_on) - min(captured_on) + 1 as total, count(distinct captured_on) as days_read
  from growth_readings
),
removed_posts as (
  select count(*) as removed_posts
  from report_removed
),
facts as (
  select total, unnest(
    [
      {'position': 1, 'text': '{n:count} {n|post|posts}', 'n': posts},
      {
        'position': 2,
        'text': 'read on {n:count} '
          || case total when 1 then 'day' else 'of {total:count} days' end,
        'n': nullif(days_read, 0)
      },
      {'position': 3, 'text': '{n:count} without readings', 'n': nullif(unread, 0)},
      {'position': 4, 'text': '{n:count} with a single reading', 'n': nullif(once, 0)},
      {'position': 5, 'text': '{n:count} first read more than 7 days after publication', 'n': nullif(late, 0)},
      {
        'position': 6,
        'text': '{n:count} removed, ' || case when removed = 'exclude' then 'excluded' else 'included' end,
        'n': nullif(removed_posts, 0)
      }
    ],
    recursive := true
  )
  from posts
  cross join days
  cross join removed_posts
  cross join report_settings
)
select text, n, case when contains(text, '{total') then total end as total
from facts
where n is not null
order by position;
