-- grain: at most one row; none without posts
-- key: none
-- reads: report_posts, quality_faults
-- parameters: none
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
    when odd_posts = 0 and posts = 1 then 'Nothing odd in the one post'
    when odd_posts = 0 then 'Nothing odd in {posts:count} posts'
    when posts = 1 then 'The one post has a value that is unknown or odd'
    when odd_posts = 1 then '1 of {posts:count} posts has a value that is unknown or odd'
    else '{odd_posts:count} of {posts:count} posts have a value that is unknown or odd'
  end as text,
  posts,
  odd_posts
from posts
cross join odd
where posts > 0;
