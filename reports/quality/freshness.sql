-- grain: one profile of one workspace
-- key: workspace, profile_id
-- reads: quality_profiles, quality_day, report_settings
select
  quality_profiles.profile,
  quality_profiles.workspace,
  quality_profiles.newest_reading,
  (quality_day.day - timezone(report_settings.timezone, quality_profiles.newest_reading)::date)::bigint as days_behind,
  quality_profiles.posts,
  quality_profiles.windows_read,
  quality_profiles.windows_failed,
  quality_profiles.newest_failure,
  quality_profiles.asked_from,
  quality_profiles.gap_days,
  quality_profiles.gaps,
  quality_profiles.profile_id
from quality_profiles
cross join quality_day
cross join report_settings
order by days_behind desc nulls first, gap_days desc, profile, workspace, profile_id;
