-- grain: at most one row; none if no post has EMV, or every one and none was removed
-- reads: report_facts
select
  case
    when removed = 'exclude' and removed_posts > 0
      then 'EMV covers {n:count} of {posts:count} {posts|post|posts}; {removed_posts:count} removed {removed_posts|post is|posts are} excluded'
    else 'EMV covers {n:count} of {posts:count} {posts|post|posts}'
  end as text,
  posts_with_emv as n,
  posts,
  removed_posts
from report_facts
where posts_with_emv > 0 and (posts_with_emv < posts or (removed = 'exclude' and removed_posts > 0));
