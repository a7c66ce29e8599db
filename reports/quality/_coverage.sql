-- grain: one fact of a list about the basis of the figures
-- reads: report_settings, report_facts
select
  unnest([
    '{posts:count} {posts|post|posts}',
    '{profiles:count} {profiles|profile|profiles}',
    '{unread:count} never read',
    '{windows:count} date {windows|range|ranges} read',
    '{without_impressions:count} without impressions',
    '{removed_posts:count} removed, {inclusion:phrase}'
  ]) as text,
  posts,
  profiles,
  nullif(profiles_unread, 0) as unread,
  nullif(windows_read, 0) as windows,
  nullif(posts_without_impressions, 0) as without_impressions,
  nullif(report_facts.removed_posts, 0) as removed_posts,
  included(removed) as inclusion
from report_facts
cross join report_settings;
