-- grain: one fact about what the figures rest on, in the page's order
-- key: text
-- reads: report_posts, report_removed, report_settings, quality_profiles
-- parameters: none
with posts as (
  select count(*) as posts, count(*) filter (where impression_count is null) as without_impressions
  from report_posts
),
profiles as (
  select
    count(*) as profiles,
    count(*) filter (where newest_reading is null) as unread,
    sum(windows_read)::bigint as windows
  from quality_profiles
),
removed as (
  select count(*) as posts
  from report_removed
),
facts as (
  select 1 as position, case when posts = 1 then '{n:count} post' else '{n:count} posts' end as text, posts as n
  from posts
  union all
  select 2, case when profiles = 1 then '{n:count} profile' else '{n:count} profiles' end, profiles
  from profiles
  union all
  select 3, '{n:count} never read', unread
  from profiles
  where unread > 0
  union all
  select 4, case when windows = 1 then '{n:count} window read' else '{n:count} windows read' end, windows
  from profiles
  where windows > 0
  union all
  select 5, '{n:count} without impressions', without_impressions
  from posts
  where without_impressions > 0
  union all
  select 6,
    case when report_settings.removed = 'exclude' then '{n:count} removed, left out' else '{n:count} removed, shown' end,
    removed.posts
  from removed
  cross join report_settings
  where removed.posts > 0
)
select text, n
from facts
order by position;
