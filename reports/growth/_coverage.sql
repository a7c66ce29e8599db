-- grain: one fact of a list about the basis of the figures
-- reads: report_facts
select
  unnest([
    '{posts:count} {posts|post|posts}',
    case days_in_all when 1 then 'read on {first_read_on:date} alone'
      else 'read on {read_days:count} of {days_in_all|# day|# days}, {first_read_on:date} to {last_read_on:date}' end,
    '{unread:count} without readings',
    '{once:count} with a single reading',
    '{late:count} first read more than 7 days after publication',
    '{removed_posts:count} removed, {inclusion:phrase}'
  ]) as text,
  * replace (nullif(removed_posts, 0) as removed_posts),
  nullif(days_read, 0) as read_days,
  nullif(posts - posts_read, 0) as unread,
  nullif(posts_read - posts_read_again, 0) as once,
  nullif(posts_read_late, 0) as late
from report_facts;
