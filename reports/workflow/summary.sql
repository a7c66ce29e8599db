-- grain: one row: all posts of the report
-- reads: report_facts
select
  posts,
  timed_posts,
  lead_days_p50,
  mean_lead_days,
  planned_posts,
  on_time_share,
  late_posts,
  approvals,
  decision_days_p50,
  mean_decision_days,
  open_approvals,
  overdue_approvals,
  blocking_approvals,
  posts_unapproved,
  posts_with_comments_read,
  threads,
  open_threads,
  rounds_per_post
from report_facts;
