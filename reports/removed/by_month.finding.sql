-- grain: at most one row; none with fewer than 3 months, 10 posts or 1.5 times an even share, or if no month is clearly the first without one of its posts
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
    row_number() over (order by posts desc) as rank,
    is_clearly_more(posts - 1, lead(posts, 1, 0) over (order by posts desc), 'posts') as leads,
    date_diff('month', min(removed_month) over (), max(removed_month) over ()) + 1 as months,
    sum(posts) over () as all_posts
  from months
)
select
  'More removals fall in {removed_month:month} than in any other month: {posts:count} of {all_posts:count}' as text,
  removed_month,
  posts,
  all_posts
from ranked
where rank = 1 and leads and months >= 3 and all_posts >= 10 and posts / all_posts >= 1.5 / months;
