-- grain: one row: the basis of the figures
-- reads: report_facts
select
  profiles,
  profiles_unread,
  newest_reading,
  most_days_behind,
  windows_read,
  open_windows,
  open_days,
  gap_days,
  posts,
  posts_without_impressions,
  posts_without_emv,
  videos_not_synced,
  posts_with_odd_values,
  removed_posts,
  rejected_records,
  runs,
  runs_not_succeeded,
  requests,
  retries,
  throttled
from report_facts;
