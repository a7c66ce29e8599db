-- grain: at most one row; none without a post that has several labels
-- reads: report_posts
with counted as (
  select count(*) filter (where len(labels) > 1) as n, count(*) as posts
  from report_posts
)
select
  '{n:count} of {posts:count} {posts|post|posts} {n|has|have} several labels' as text,
  n,
  posts
from counted
where n > 0;
