-- grain: one fact of a list about the basis of the figures
-- reads: report_posts, report_removed, report_settings, quality_profiles
with posts as (
  select count(*) as posts, nullif(count(*) filter (where impression_count is null), 0) as without_impressions
  from report_posts
),
profiles as (
  select
    count(*) as profiles,
    nullif(count(*) filter (where newest_reading is null), 0) as unread,
    nullif(sum(windows_read), 0)::bigint as windows
  from quality_profiles
),
removed_total as (
  select nullif(count(*), 0) as removed_posts
  from report_removed
)
select
  unnest([
    '{posts:count} {posts|post|posts}',
    '{profiles:count} {profiles|profile|profiles}',
    '{unread:count} never read',
    '{windows:count} date {windows|range|ranges} read',
    '{without_impressions:count} without impressions',
    '{removed_posts:count} removed, {inclusion:phrase}'
  ]) as text,
  posts.*,
  profiles.*,
  removed_posts,
  included(removed) as inclusion
from posts
cross join profiles
cross join removed_total
cross join report_settings;
