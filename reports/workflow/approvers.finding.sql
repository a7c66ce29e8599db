-- grain: at most one row; none without an overdue approval or 10 that were given
-- reads: workflow_approvals
with counted as (
  select
    count(*) filter (where is_overdue) as overdue,
    count(*) filter (where is_overdue and is_blocking) as blocking,
    count(decision_days) as given,
    median(decision_days) as median_decision_days
  from workflow_approvals
)
select
  case
    when given >= 10 and overdue > 0 then 'The median approval takes {median:phrase}; {overdue:count} {overdue|is|are} overdue{blocked:phrase}'
    when given >= 10 then 'The median approval takes {median:phrase}; none is overdue'
    else '{overdue:count} {overdue|approval is|approvals are} overdue{blocked:phrase}'
  end as text,
  case when overdue > 1 then ', {blocking:count} of them blocking' when blocking > 0 then ' and blocking' else '' end as blocked,
  case when median_decision_days >= 2 then '{median_days|# day|# days}' else '{median_time:duration}' end as median,
  overdue,
  nullif(blocking, 0) as blocking,
  median_decision_days * 86400 as median_time,
  round(median_decision_days) as median_days
from counted
where given >= 10 or overdue > 0;
