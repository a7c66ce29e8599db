-- grain: one section: what it rests on
-- key: section
-- reads: report_posts, report_warnings, report_rejects, report_runs, quality_profiles, quality_open_windows
with counted as (
  select
    (select count(*) from quality_profiles) as profiles,
    (select count(*) from quality_open_windows) as windows,
    (select count(*) from report_warnings) as warnings,
    (select count(*) from report_posts) as posts,
    (select count(*) from report_posts where emv is not null and impression_count > 0) as priced,
    (select count(*) from report_rejects) as records,
    (select count(*) from report_runs) as runs
),
bases as (
  select unnest(
    [
      {'section': 'freshness', 'n': profiles, 'text': '{n:count} {n|profile|profiles}'},
      {'section': 'windows', 'n': windows, 'text': '{n:count} date {n|range|ranges}'},
      {'section': 'warnings', 'n': warnings, 'text': '{n:count} {n|warning|warnings}'},
      {'section': 'coverage', 'n': posts, 'text': '{n:count} {n|post|posts}'},
      {'section': 'rejected', 'n': records, 'text': '{n:count} {n|record|records}'},
      {'section': 'implied_cpm', 'n': priced, 'text': '{n:count} {n|post|posts} with EMV and impressions'},
      {'section': 'unknown_values', 'n': posts, 'text': '{n:count} {n|post|posts}'},
      {'section': 'runs', 'n': runs, 'text': '{n:count} {n|run|runs} in all'}
    ],
    recursive := true
  )
  from counted
)
select section, text, n
from bases
where n > 0
order by section;
