-- grain: one fact of a list about the basis of the figures
-- reads: report_read_posts, report_removed, report_settings, growth_readings, growth_posts
with posts as (
  select
    count(*) as posts,
    nullif(count(*) filter (where growth_posts.readings is null), 0) as unread,
    nullif(count(*) filter (where not growth_posts.is_read_again), 0) as once,
    nullif(count(*) filter (where growth_posts.first_age > 7), 0) as late
  from report_read_posts
  left join growth_posts using (workspace, linkedin_post_id)
),
days as (
  select
    max(captured_on) - min(captured_on) + 1 as total,
    nullif(count(distinct captured_on), 0) as days_read,
    min(captured_on) as first_on,
    max(captured_on) as last_on
  from growth_readings
),
removed_total as (
  select nullif(count(*), 0) as removed_posts
  from report_removed
)
select
  unnest([
    '{posts:count} {posts|post|posts}',
    case total when 1 then 'read on {first_on:date} alone'
      else 'read on {days_read:count} of {total|# day|# days}, {first_on:date} to {last_on:date}' end,
    '{unread:count} without readings',
    '{once:count} with a single reading',
    '{late:count} first read more than 7 days after publication',
    '{removed_posts:count} removed, {inclusion:phrase}'
  ]) as text,
  posts.*,
  days.*,
  removed_posts,
  included(removed) as inclusion
from posts
cross join days
cross join removed_total
cross join report_settings;
