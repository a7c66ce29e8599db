-- grain: one fact about what the figures rest on, in the page's order
-- key: text
-- reads: report_read_posts, report_removed, report_settings, growth_readings, growth_posts
-- parameters: none
with counted as (
  select
    count(*) as posts,
    count(*) filter (where growth_posts.readings is null) as unread,
    count(*) filter (where growth_posts.readings = 1) as once,
    count(*) filter (where growth_posts.first_age > 7) as late
  from report_read_posts
  left join growth_posts using (workspace, linkedin_post_id)
),
days as (
  select max(captured_on) - min(captured_on) + 1 as days, count(distinct captured_on) as days_read
  from growth_readings
),
removed as (
  select count(*) as posts
  from report_removed
),
facts as (
  select 1 as position, case when posts = 1 then '{n:count} post' else '{n:count} posts' end as text,
    posts as n, null::bigint as total
  from counted
  union all
  select 2, case when days = 1 then 'read on 1 day' else 'read on {n:count} of {total:count} days' end, days_read, days
  from days
  where days_read > 0
  union all
  select 3, '{n:count} without any reading kept', unread, null
  from counted
  where unread > 0
  union all
  select 4, '{n:count} read on one day only', once, null
  from counted
  where once > 0
  union all
  select 5, '{n:count} first read later than 7 days after publication', late, null
  from counted
  where late > 0
  union all
  select 6,
    case when report_settings.removed = 'exclude' then '{n:count} removed, left out' else '{n:count} removed, shown' end,
    removed.posts, null
  from removed
  cross join report_settings
  where removed.posts > 0
)
select text, n, total
from facts
order by position;
