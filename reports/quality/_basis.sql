-- grain: one section of a list: its basis
-- key: section
-- reads: quality_facts
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
  nullif(profiles, 0) as profiles,
  nullif(open_windows, 0) as windows,
  nullif(warnings, 0) as warnings,
  nullif(posts, 0) as posts,
  nullif(rejected_records, 0) as records,
  nullif(priced_posts, 0) as priced,
  nullif(runs, 0) as runs
from quality_facts;
