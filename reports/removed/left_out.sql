-- grain: one reason why removed posts are missing in some figures; a post may have several
-- key: reason
-- reads: report_facts
select reason, counted as posts, consequence
from report_facts
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
) as reasons (position, reason, counted, consequence)
where counted > 0
order by position;
