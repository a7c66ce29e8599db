-- grain: one finding in what was loaded that looks odd
-- key: workspace, profile_id, kind, metric, start_date, end_date
-- reads: report_warnings
-- parameters: none
select
  profile,
  workspace,
  case kind
    when 'metric_drop' then 'The sum of ' || metric_name || ' fell'
    when 'empty_window' then 'No posts came, where some are known'
    when 'unlikely_date' then 'Dated before 2003 or more than a year ahead'
    else 'The answer was cut off'
  end as what,
  start_date,
  end_date,
  before,
  after,
  fallen_by,
  posts,
  seen_at,
  case
    when kind = 'metric_drop'
    then 'Look at one of these posts in LinkedIn. If it has more, run again with the option full'
    when kind = 'empty_window'
    then 'Look whether the workspace still shows these posts with figures, then run again with the options from and to'
    when kind = 'unlikely_date'
    then 'Look up when these posts were published: no month, week or hour counts them'
    when before is null
    then 'Compare the posts of this day with LinkedIn: the API did not give more at once'
    else 'Nothing: the halves were loaded, and these days are read in halves from then on'
  end as advice,
  kind,
  metric,
  profile_id
from report_warnings
order by seen_at desc, profile, workspace, profile_id, kind, metric, end_date desc, start_date desc;
