-- grain: at most one row; none without posts
-- reads: quality_facts
select
  case
    when posts_with_odd_values = 0 then 'No unusual values in {posts:count} {posts|post|posts}'
    else '{odd_posts:count} of {posts:count} {posts|post|posts} {odd_posts|has|have} unusual values'
  end as text,
  posts,
  posts_with_odd_values as odd_posts
from quality_facts
where posts > 0;
