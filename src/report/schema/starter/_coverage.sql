-- grain: one fact about what the figures rest on, in the page's order
-- key: text
-- reads: report_posts
with counted as (
  select count(*) as posts, count(*) filter (where engagements is null) as without
  from report_posts
),
facts as (
  select 1 as position, case when posts = 1 then '{n:count} post' else '{n:count} posts' end as text, posts as n
  from counted
  union all
  select 2, '{n:count} without engagement', without
  from counted
  where without > 0
)
select text, n
from facts
order by position;
