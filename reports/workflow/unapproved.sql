-- grain: one approval that was asked for before publication and not given by then
-- key: workspace, post_id, approval_id
-- reads: workflow_approvals
select
  title,
  profile,
  published_at,
  approver,
  is_blocking,
  asked_at,
  due_date,
  approved_at,
  is_open,
  is_open and is_late as is_overdue,
  workspace,
  post_id,
  approval_id
from workflow_approvals
where is_missing
order by is_blocking desc, published_at desc, workspace, post_id, approval_id;
