-- grain: one person who was asked to approve posts of one workspace
-- key: workspace, approver_id
-- reads: workflow_approvals
select
  any_value(approver order by asked_at desc, approval_id) as approver,
  count(*) as asked,
  count(approved_at) as approved,
  case when count(decision_days) >= 10 then median(decision_days) end as decision_days_p50,
  exact_sum(decision_days) / nullif(count(decision_days), 0) as mean_decision_days,
  count(*) filter (where is_late) as late_approvals,
  count(*) filter (where is_open) as open_approvals,
  count(*) filter (where is_overdue) as overdue_approvals,
  count(*) filter (where is_open and is_blocking) as blocking_approvals,
  count(*) filter (where is_missing) as missing_approvals,
  workspace,
  approver_id
from workflow_approvals
group by workspace, approver_id
order by asked desc, approver, workspace, approver_id;
