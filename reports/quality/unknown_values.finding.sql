-- grain: at most one row; none without posts
-- reads: report_facts
select
  case
    when posts_with_odd_values = 0 then 'No unusual values in {posts:count} {posts|post|posts}'
    else '{posts_with_odd_values:count} of {posts:count} {posts|post|posts} {posts_with_odd_values|has|have} unusual values'
  end as text,
  *
from report_facts
where posts > 0;
