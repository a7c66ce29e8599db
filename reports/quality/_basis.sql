-- grain: one section: what it rests on
-- key: section
-- reads: report_posts, report_warnings, report_rejects, report_runs, quality_profiles, quality_open_windows
-- parameters: none
with bases as (
  select 'freshness' as section, count(*) as n, 'profile' as one, 'profiles' as many
  from quality_profiles
  union all
  select 'windows', count(*), 'open window', 'open windows'
  from quality_open_windows
  union all
  select 'warnings', count(*), 'warning', 'warnings'
  from report_warnings
  union all
  select 'coverage', count(*), 'post', 'posts'
  from report_posts
  union all
  select 'rejected', count(*), 'record', 'records'
  from report_rejects
  union all
  select 'implied_cpm', count(*), 'post with EMV and impressions', 'posts with EMV and impressions'
  from report_posts
  where emv is not null and impression_count > 0
  union all
  select 'unknown_values', count(*), 'post', 'posts'
  from report_posts
  union all
  select 'runs', count(*), 'run in all', 'runs in all'
  from report_runs
)
select section, '{n:count} ' || case when n = 1 then one else many end as text, n
from bases
where n > 0
order by section;
