-- grain: at most one row; none if the details of all posts were read, or of none
-- reads: report_posts
select
  '{unread:count} {unread|post|posts} whose details were not read {unread|is|are} excluded.' as text,
  nullif(count(*) filter (where coalesce(len(channels), 0) = 0), 0) as unread
from report_posts
having count(*) > unread;
