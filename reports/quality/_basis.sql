-- grain: one section of a list: its basis
-- key: section
-- reads: report_posts, report_warnings, report_rejects, report_runs, quality_profiles, quality_open_windows
with counted as (
  select
    (select nullif(count(*), 0) from quality_profiles) as profiles,
    (select nullif(count(*), 0) from quality_open_windows) as windows,
    (select nullif(count(*), 0) from report_warnings) as warnings,
    (select nullif(count(*), 0) from report_posts) as posts,
    (select nullif(count(*), 0) from report_posts where emv is not null and impression_count > 0) as priced,
    (select nullif(count(*), 0) from report_rejects) as records,
    (select nullif(count(*), 0) from report_runs) as runs
)
select
  unnest(
    [
      {'section': 'freshness', 'text': '{profiles:count} {profiles|profile|profiles}'},
      {'section': 'windows', 'text': '{windows:count} date {windows|range|ranges}'},
      {'section': 'warnings', 'text': '{warnings:count} {warnings|warning|warnings}'},
      {'section': 'coverage', 'text': '{posts:count} {posts|post|posts}'},
      {'section': 'rejected', 'text': '{records:count} {records|record|records}'},
      {'section': 'implied_cpm', 'text': '{priced:count} {priced|post|posts} with EMV and impressions'},
      {'section': 'unknown_values', 'text': '{posts:count} {posts|post|posts}'},
      {'section': 'runs', 'text': '{runs:count} {runs|run|runs} in all'}
    ],
    recursive := true
  ),
  *
from counted;
