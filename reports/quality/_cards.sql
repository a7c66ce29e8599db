-- grain: one card of a list
-- key: label
-- reads: report_posts, report_rejects, report_runs, quality_profiles, quality_open_windows
with figures as (
  select
    (select count(*) from quality_profiles) as profiles,
    (select count(*) from quality_open_windows) as open_windows,
    (select sum(gap_days) from quality_profiles) as gap_days,
    (select count(impression_count) / nullif(count(*), 0) from report_posts) as known_share,
    (select count(*) from report_rejects) as rejected,
    (select count(*) from report_runs where status <> 'succeeded') as runs_not_succeeded
)
select
  unnest(
    [
      {'label': 'Profiles', 'format': 'count', 'value': profiles, 'cell': 'summary.profiles'},
      {'label': 'Failed date ranges', 'format': 'count', 'value': open_windows, 'cell': 'summary.open_windows'},
      {'label': 'Days not read', 'format': 'count', 'value': gap_days, 'cell': 'summary.gap_days'},
      {'label': 'Posts with impressions', 'format': 'rate', 'value': known_share, 'cell': null},
      {'label': 'Rejected records', 'format': 'count', 'value': rejected, 'cell': 'summary.rejected_records'},
      {'label': 'Failed runs', 'format': 'count', 'value': runs_not_succeeded, 'cell': 'summary.runs_not_succeeded'}
    ],
    recursive := true
  )
from figures;
