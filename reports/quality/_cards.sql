-- grain: one card of a list
-- key: label
-- reads: report_facts
select
  unnest(
    [
      {'label': 'Profiles', 'format': 'count', 'value': profiles, 'cell': 'summary.profiles'},
      {'label': 'Failed date ranges', 'format': 'count', 'value': open_windows, 'cell': 'summary.open_windows'},
      {'label': 'Days not read', 'format': 'count', 'value': gap_days, 'cell': 'summary.gap_days'},
      {
        'label': 'Posts with impressions', 'format': 'rate',
        'value': (posts - posts_without_impressions) / nullif(posts, 0), 'cell': null
      },
      {'label': 'Rejected records', 'format': 'count', 'value': rejected_records, 'cell': 'summary.rejected_records'},
      {'label': 'Failed runs', 'format': 'count', 'value': runs_not_succeeded, 'cell': 'summary.runs_not_succeeded'}
    ],
    recursive := true
  )
from report_facts;
