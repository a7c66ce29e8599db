-- grain: at most one row: the first sentence of the page; none without profiles
-- reads: report_facts
with problems as (
  select
    * replace (coalesce(gap_days, 0) as gap_days),
    -- these are phrases, with placeholders for each other
    concat_ws(
      ', ',
      case when profiles_unread > 0 then '{unread_profiles:phrase}' end,
      case when report_facts.gap_days > 0 then '{unread_days:phrase}' end,
      case when open_windows > 0 then '{failed_windows:phrase}' end,
      case when rejected_records > 0 then '{rejected_records:phrase}' end,
      case when unreadable_values > 0 then '{unreadable_values:phrase}' end
    ) as list
  from report_facts
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
  '{unreadable:count} {unreadable|value|values} could not be read' as unreadable_values,
  profiles,
  posts,
  gap_days,
  profiles_unread as unread,
  open_windows,
  problems.rejected_records as rejected,
  problems.unreadable_values as unreadable
from problems
where profiles > 0;
