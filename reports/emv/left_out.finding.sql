-- grain: at most one row; none if no post has EMV, or every one and none was removed
-- reads: emv_totals, report_removed, report_settings
with removed as (
  select count(*) as removed_posts
  from report_removed
  cross join report_settings
  where report_settings.removed = 'exclude'
)
select
  case
    when removed_posts > 0
      then 'EMV covers {n:count} of {posts:count} {posts|post|posts}; {removed_posts:count} removed {removed_posts|post is|posts are} excluded'
    else 'EMV covers {n:count} of {posts:count} {posts|post|posts}'
  end as text,
  posts_with_emv as n,
  posts,
  removed_posts
from emv_totals
cross join removed
where is_current and posts_with_emv > 0 and (posts_with_emv < posts or removed_posts > 0);
