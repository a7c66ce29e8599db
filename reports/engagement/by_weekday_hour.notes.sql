-- grain: one sentence about slots and posts that are not compared
-- key: text
-- reads: report_posts
-- parameters: none
with slots as (
  select count(engagements) as posts
  from report_posts
  where published_local is not null
  group by isodow(published_local), hour(published_local)
),
small as (
  select count(*) as slots, count(*) filter (where posts < 5) as small_slots
  from slots
),
untimed as (
  select count(*) as posts
  from report_posts
  where published_local is null
),
facts as (
  select
    1 as position,
    '{n:count} of {slots:count} hours used have fewer than 5 posts and are not ranked.' as text,
    small_slots as n,
    slots
  from small
  where small_slots > 0
  union all
  select
    2,
    case when posts = 1 then '{n:count} post without a time is left out.'
      else '{n:count} posts without a time are left out.' end,
    posts,
    null
  from untimed
  where posts > 0
)
select text, n, slots
from facts
order by position;
