-- grain: one reason why removed posts are missing in some figures; a post may have several
-- key: reason
-- reads: report_removed, report_unlinked_removals
with counted as (
  select
    count(*) filter (where emv is null) as without_emv,
    count(*) filter (where impression_count is null) as without_impressions,
    count(*) filter (where engagements is null) as without_engagements,
    count(*) filter (where published_at is null) as without_time,
    (select count(*) from report_unlinked_removals) as unlinked
  from report_removed
)
select
  reason,
  posts,
  consequence
from counted
cross join lateral (
  values
    (1, 'No EMV is known', without_emv, 'EMV, its share and the CPM'),
    (2, 'No impressions are known', without_impressions, 'impressions and the CPM'),
    (3, 'No engagement is known', without_engagements, 'engagements and their rate'),
    (4, 'No time of publication', without_time, 'every period'),
    (
      5, 'Deleted without a LinkedIn post in the data', unlinked,
      'everything but this count: drafts and posts for other channels have no figures'
    )
) as reasons (position, reason, posts, consequence)
where posts > 0
order by position;
