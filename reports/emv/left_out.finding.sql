-- grain: at most one row; none where no post has EMV, or every one and none was removed
-- key: none
-- reads: emv_totals, report_removed, report_settings
-- parameters: none
with removed as (
  select count(*) as posts
  from report_removed
  cross join report_settings
  where report_settings.removed = 'exclude'
),
figures as (
  select
    emv_totals.posts,
    emv_totals.posts_with_emv as n,
    removed.posts as removed_posts
  from emv_totals
  cross join removed
  where is_current
    and posts_with_emv > 0
    and (posts_with_emv < emv_totals.posts or removed.posts > 0)
)
select
  'The EMV rests on {n:count} of {posts:count} ' || case when posts = 1 then 'post' else 'posts' end
    || case removed_posts when 0 then '' when 1 then '; {removed_posts:count} removed post is left out'
      else '; {removed_posts:count} removed posts are left out' end as text,
  n,
  posts,
  removed_posts
from figures;
