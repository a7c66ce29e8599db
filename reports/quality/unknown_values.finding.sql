-- grain: at most one row; none without posts
-- reads: report_posts, quality_faults
with posts as (
  select count(*) as posts
  from report_posts
),
odd as (
  select count(distinct (workspace, linkedin_post_id)) as odd_posts
  from quality_faults
  where is_odd
)
select
  case
    when odd_posts = 0 then 'No unusual values in {posts:count} {posts|post|posts}'
    else '{odd_posts:count} of {posts:count} {posts|post|posts} {odd_posts|has|have} unusual values'
  end as text,
  posts,
  odd_posts
from posts
cross join odd
where posts > 0;
