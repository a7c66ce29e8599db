-- grain: at most one row: the first sentence of the page; none without profiles
-- reads: report_posts, report_rejects, quality_profiles, quality_open_windows
with figures as (
  select
    (select count(*) from quality_profiles) as profiles,
    (select count(*) from report_posts) as posts,
    (select sum(gap_days)::bigint from quality_profiles) as gap_days,
    (select count(*) from quality_profiles where newest_reading is null) as unread,
    (select count(*) from quality_open_windows) as open_windows,
    (select count(*) from report_rejects) as rejected
),
problems as (
  select
    *,
    -- these are phrases, with placeholders for each other
    concat_ws(
      ', ',
      case when unread > 0 then '{unread_profiles:phrase}' end,
      case when gap_days > 0 then '{unread_days:phrase}' end,
      case when open_windows > 0 then '{failed_windows:phrase}' end,
      case when rejected > 0 then '{rejected_records:phrase}' end
    ) as list
  from figures
)
select
  case
    when list <> '' then '**{posts:count}** {posts|post|posts} of {profiles:count} {profiles|profile|profiles}: {list:phrase}.'
    else '**{posts:count}** {posts|post|posts} of {profiles:count} {profiles|profile|profiles}. Every day was read, nothing was rejected.'
  end as text,
  list,
  '{unread:count} {unread|profile was|profiles were} never read' as unread_profiles,
  '{gap_days:count} {gap_days|day was|days were} not read' as unread_days,
  '{open_windows:count} failed date {open_windows|range needs|ranges need} a retry' as failed_windows,
  '{rejected:count} {rejected|record was|records were} rejected' as rejected_records,
  profiles,
  posts,
  coalesce(gap_days, 0) as gap_days,
  unread,
  open_windows,
  rejected
from problems
where profiles > 0;
