-- grain: one fact about what the figures rest on, in the page's order
-- key: text
-- reads: report_removed, report_all, report_unlinked_removals
-- parameters: none
with removed as (
  select
    count(*) as posts,
    count(*) filter (where emv is null) as without_emv,
    count(*) filter (where impression_count is null) as without_impressions
  from report_removed
),
total as (
  select count(*) as posts
  from report_all
),
unlinked as (
  select count(*) as posts
  from report_unlinked_removals
),
facts as (
  select
    1 as position,
    case total.posts
      when 0 then '0 posts'
      when 1 then '{n:count} of 1 post removed'
      else '{n:count} of {total:count} posts removed'
    end as text,
    removed.posts as n,
    total.posts as total
  from removed
  cross join total
  union all
  select 2, '{n:count} without EMV', without_emv, null
  from removed
  where without_emv > 0
  union all
  select 3, '{n:count} without impressions', without_impressions, null
  from removed
  where without_impressions > 0
  union all
  select 4, '{n:count} deleted without a LinkedIn post, not listed', posts, null
  from unlinked
  where posts > 0
)
select text, n, total
from facts
order by position;
