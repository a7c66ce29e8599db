-- grain: one fact about what the figures rest on, in the page's order
-- key: text
-- reads: report_removed, report_all, report_unlinked_removals
with counted as (
  select
    (select count(*) from report_removed) as removed,
    (select count(*) from report_removed where emv is null) as without_emv,
    (select count(*) from report_removed where impression_count is null) as without_impressions,
    (select count(*) from report_all) as total,
    (select count(*) from report_unlinked_removals) as unlinked
),
facts as (
  select total, unnest(
    [
      {
        'position': 1,
        'text': case total when 0 then '0 posts' else '{n:count} of {total:count} {total|post|posts} removed' end,
        'n': removed
      },
      {'position': 2, 'text': '{n:count} without EMV', 'n': nullif(without_emv, 0)},
      {'position': 3, 'text': '{n:count} without impressions', 'n': nullif(without_impressions, 0)},
      {'position': 4, 'text': '{n:count} deleted without a LinkedIn post, not listed', 'n': nullif(unlinked, 0)}
    ],
    recursive := true
  )
  from counted
)
select text, n, total
from facts
order by position;
