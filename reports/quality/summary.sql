-- grain: one row: what the figures rest on
-- reads: report_posts, report_removed, report_rejects, report_runs, quality_profiles, quality_open_windows, quality_faults, quality_day, report_settings
with posts as (
  select
    count(*) as posts,
    count(*) filter (where impression_count is null) as posts_without_impressions,
    count(*) filter (where emv is null) as posts_without_emv,
    count(*) filter (where type = 'Video' and video_view_count is null) as videos_not_synced
  from report_posts
),
removed as (
  select count(*) as removed_posts
  from report_removed
),
profiles as (
  select
    count(*) as profiles,
    count(*) filter (where newest_reading is null) as profiles_unread,
    max(newest_reading) as newest_reading,
    max(quality_day.day - timezone(report_settings.timezone, newest_reading)::date)::bigint as most_days_behind,
    sum(windows_read)::bigint as windows_read,
    sum(gap_days)::bigint as gap_days
  from quality_profiles
  cross join quality_day
  cross join report_settings
),
open as (
  select count(*) as open_windows, coalesce(sum(open_days), 0)::bigint as open_days
  from quality_open_windows
),
rejects as (
  select count(*) as rejected_records
  from report_rejects
),
faults as (
  select count(distinct (workspace, linkedin_post_id)) as posts_with_odd_values
  from quality_faults
  where is_odd
),
run as (
  select
    count(*) as runs,
    count(*) filter (where status <> 'succeeded') as runs_not_succeeded,
    sum(requests)::bigint as requests,
    sum(retries)::bigint as retries,
    sum(throttled)::bigint as throttled
  from report_runs
)
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
from profiles
cross join open
cross join posts
cross join removed
cross join faults
cross join rejects
cross join run;
