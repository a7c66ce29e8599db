-- grain: at most one row; none with fewer than 3 months, 10 posts or 1.5 times an even share, or without a single first month
-- reads: report_removed
with months as (
  select removed_month, count(*) as posts
  from report_removed
  group by removed_month
),
ranked as (
  select
    removed_month,
    posts,
    rank() over (order by posts desc) as place,
    date_diff('month', min(removed_month) over (), max(removed_month) over ()) + 1 as months,
    sum(posts) over () as all_posts
  from months
),
first as (
  select *, count(*) over () as firsts
  from ranked
  where place = 1
)
select
  'Most removals fall in {removed_month:month}: {posts:count} of {all_posts:count}' as text,
  removed_month,
  posts,
  all_posts
from first
where firsts = 1 and months >= 3 and all_posts >= 10 and posts / all_posts >= 1.5 / months;
