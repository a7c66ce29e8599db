-- grain: one card, in the page's order
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
),
cards as (
  select 1 as position, 'Profiles' as label, 'count' as format, profiles::double as value,
    'summary.profiles' as cell
  from figures
  union all
  select 2, 'Failed date ranges', 'count', open_windows::double, 'summary.open_windows'
  from figures
  union all
  select 3, 'Days not read', 'count', gap_days::double, 'summary.gap_days'
  from figures
  union all
  select 4, 'Posts with impressions', 'rate', known_share, null
  from figures
  union all
  select 5, 'Rejected records', 'count', rejected::double, 'summary.rejected_records'
  from figures
  union all
  select 6, 'Failed runs', 'count', runs_not_succeeded::double, 'summary.runs_not_succeeded'
  from figures
)
select
  label,
  format,
  value,
  -- gaps are filled later: there is nothing to compare with
  null::double as previous,
  null::double[] as trend,
  null::varchar as note,
  cell,
  null::varchar as previous_cell
from cards
order by position;
