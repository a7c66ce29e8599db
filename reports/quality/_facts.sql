-- grain: one row: what sentences and the summary are made of
-- reads: failed_windows, quality_faults, quality_profiles, report_posts, report_rejects, report_removed, report_runs, report_warnings
with posts as (
  select
    count(*) as posts,
    count(*) filter (where impression_count is null) as posts_without_impressions,
    count(*) filter (where emv is null) as posts_without_emv,
    count(*) filter (where type = 'Video') as videos,
    count(*) filter (where type = 'Video' and video_view_count is null) as videos_not_synced,
    count(*) filter (where kind is null) as posts_without_kind,
    count(*) filter (where emv is not null and impression_count > 0) as priced_posts
  from report_posts
),
profiles as (
  select
    count(*) as profiles,
    count(*) filter (where newest_reading is null) as profiles_unread,
    count(*) filter (where days_behind > 1) as profiles_behind,
    count(*) filter (where gap_days > 0) as profiles_with_gaps,
    max(newest_reading) as newest_reading,
    max(days_behind) as most_days_behind,
    sum(windows_read)::bigint as windows_read,
    sum(gap_days)::bigint as gap_days
  from quality_profiles
),
open as (
  select
    count(*) as open_windows,
    coalesce(sum(open_days), 0)::bigint as open_days,
    count(distinct (workspace, profile_id)) as profiles_with_windows
  from failed_windows
),
warned as (
  select count(*) as warnings, count(distinct (workspace, profile_id)) as profiles_warned
  from report_warnings
),
rejected as (
  select
    count(*) filter (where field is null) as rejected_records,
    count(distinct reason) filter (where field is null) as reasons,
    max(rejected_at) filter (where field is null) as last_rejected_at,
    count(field) as unreadable_values
  from report_rejects
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
  *,
  (select count(distinct (workspace, linkedin_post_id)) from quality_faults) as posts_with_odd_values,
  (select count(*) from report_removed) as removed_posts
from posts
cross join profiles
cross join open
cross join warned
cross join rejected
cross join all_runs;
