-- grain: one card of a list
-- key: label
-- reads: report_facts
select
  unnest(
    [
      {'label': 'Median days to publication', 'format': 'decimal', 'value': lead_days_p50, 'cell': 'summary.lead_days_p50'},
      {'label': 'On time', 'format': 'share', 'value': on_time_share, 'cell': 'summary.on_time_share'},
      {'label': 'Median days to approval', 'format': 'decimal', 'value': decision_days_p50, 'cell': 'summary.decision_days_p50'},
      {'label': 'Open approvals', 'format': 'count', 'value': open_approvals, 'cell': 'summary.open_approvals'},
      {'label': 'Out without approval', 'format': 'count', 'value': posts_unapproved, 'cell': 'summary.posts_unapproved'},
      {'label': 'Open threads', 'format': 'count', 'value': open_threads, 'cell': 'summary.open_threads'}
    ],
    recursive := true
  )
from report_facts;
