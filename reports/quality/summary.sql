-- grain: one row: the basis of the figures
-- reads: report_posts, report_removed, report_rejects, report_runs, quality_profiles, quality_open_windows, quality_faults, quality_day, report_settings
with posts as (
  select
    count(*) as posts,
    count(*) filter (where impression_count is null) as posts_without_impressions,
    count(*) filter (where emv is null) as posts_without_emv,
    count(*) filter (where type = 'Video' and video_view_count is null) as videos_not_synced
  from report_posts
),
profiles as (
  select
    count(*) as profiles,
    count(*) filter (where newest_reading is null) as profiles_unread,
    max(newest_reading) as newest_reading,
    max(day - timezone(timezone, newest_reading)::date)::bigint as most_days_behind,
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
all_runs as (
  select
    count(*) as runs,
    count(*) filter (where status <> 'succeeded') as runs_not_succeeded,
    sum(requests)::bigint as requests,
    sum(retries)::bigint as retries,
    sum(throttled)::bigint as throttled
  from report_runs
)
select
  profiles.* exclude (gap_days),
  open.*,
  gap_days,
  posts.*,
  (select count(distinct (workspace, linkedin_post_id)) from quality_faults where is_odd) as posts_with_odd_values,
  (select count(*) from report_removed) as removed_posts,
  (select count(*) from report_rejects) as rejected_records,
  all_runs.*
from profiles
cross join open
cross join posts
cross join all_runs;
