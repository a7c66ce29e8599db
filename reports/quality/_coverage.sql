-- grain: one fact about what the figures rest on, in the page's order
-- key: text
-- reads: report_posts, report_removed, report_settings, quality_profiles
with counted as (
  select
    (select count(*) from report_posts) as posts,
    (select count(*) from report_posts where impression_count is null) as without_impressions,
    (select count(*) from quality_profiles) as profiles,
    (select count(*) from quality_profiles where newest_reading is null) as unread,
    (select sum(windows_read)::bigint from quality_profiles) as windows,
    (select count(*) from report_removed) as removed_posts
),
facts as (
  select unnest(
    [
      {'position': 1, 'text': '{n:count} {n|post|posts}', 'n': posts},
      {'position': 2, 'text': '{n:count} {n|profile|profiles}', 'n': profiles},
      {'position': 3, 'text': '{n:count} never read', 'n': nullif(unread, 0)},
      {'position': 4, 'text': '{n:count} date {n|range|ranges} read', 'n': nullif(windows, 0)},
      {'position': 5, 'text': '{n:count} without impressions', 'n': nullif(without_impressions, 0)},
      {
        'position': 6,
        'text': '{n:count} removed, ' || case when removed = 'exclude' then 'excluded' else 'included' end,
        'n': nullif(removed_posts, 0)
      }
    ],
    recursive := true
  )
  from counted
  cross join report_settings
)
select text, n
from facts
where n is not null
order by position;
