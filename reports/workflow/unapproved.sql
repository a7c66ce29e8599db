-- grain: one approval that was asked for before publication and not given by then
-- key: workspace, post_id, approval_id
-- reads: workflow_approvals
select * exclude (is_late, approver_id, decision_days, is_missing)
from workflow_approvals
where is_missing
order by is_blocking desc, published_at desc, workspace, post_id, approval_id;
