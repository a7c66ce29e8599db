-- grain: one finding in what was loaded that looks odd
-- key: workspace, profile_id, kind, metric, start_date, end_date
-- reads: report_warnings
select
  profile,
  workspace,
  case kind
    when 'metric_drop' then replace('The sum of {metric} fell', '{metric}', metric_name)
    when 'empty_window' then 'No posts returned, although some are known'
    when 'out_of_proportion' then replace('{metric} out of all proportion', '{metric}', metric_name)
    when 'unlikely_date' then 'Dated before 2003 or more than a year ahead'
    when 'absent_posts' then 'No longer in the responses'
    when 'superseded_records' then 'Replaced by later records of the same posts'
    when 'shared_posts' then 'Also in the responses for another profile'
    when 'shared_address' then 'The address of a post of another profile'
    when 'other_workspace' then 'Also read under another profile'
    else 'The response was truncated'
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
    then 'Check one of the posts on LinkedIn. If it has more, run again with --full'
    when kind = 'empty_window'
    then 'Check whether the workspace still shows these posts with figures, then run again with --from and --to'
    when kind = 'out_of_proportion'
    then 'Check the figure on LinkedIn: every sum over these posts contains it'
    when kind = 'unlikely_date'
    then 'Check when these posts were published: they are in no month, week or hour'
    when kind = 'absent_posts'
    then 'Check on LinkedIn whether these posts still exist. They count as last read'
    when kind = 'superseded_records'
    then 'None: the post of each address counts once, with the readings of all its records'
    when kind = 'shared_posts'
    then 'Check whether both profiles give these posts. They count for the one that had them first'
    when kind = 'shared_address'
    then 'Check whether one account was connected twice. If it was, give the earlier profile an until in jobs.yaml'
    when kind = 'other_workspace'
    then 'Check whether both profiles belong in one report: these posts count for each of them'
    when before is null
    then 'Compare the posts of this day with LinkedIn: the API gives no more at once'
    else 'None: the days were read again in halves, and will be from now on'
  end as advice,
  kind,
  metric,
  profile_id
from report_warnings
order by seen_at desc, profile, workspace, profile_id, kind, metric, end_date desc, start_date desc;
