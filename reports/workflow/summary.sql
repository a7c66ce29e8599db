-- grain: one row: all posts of the report
-- reads: report_settings, workflow_groups, workflow_approvals, workflow_rounds
with timed as (
  select *
  from workflow_groups
  where dimension = 'all'
),
asked as (
  select
    nullif(count(*), 0) as approvals,
    case when count(decision_days) >= 10 then median(decision_days) end as decision_days_p50,
    exact_sum(decision_days) / nullif(count(decision_days), 0) as mean_decision_days,
    case when count(*) > 0 then count(*) filter (where is_open) end as open_approvals,
    case when count(*) > 0 then count(*) filter (where is_open and is_late) end as overdue_approvals,
    case when count(*) > 0 then count(*) filter (where is_open and is_blocking) end as blocking_approvals,
    case when count(*) > 0 then count(distinct (workspace, post_id)) filter (where is_missing) end as posts_unapproved
  from workflow_approvals
),
commented as (
  select
    nullif(count(*), 0) as posts_with_comments_read,
    sum(threads)::bigint as threads,
    sum(open_threads)::bigint as open_threads,
    sum(rounds) / nullif(count(*), 0) as rounds_per_post
  from workflow_rounds
)
select
  coalesce(timed.posts, 0) as posts,
  coalesce(timed.timed_posts, 0) as timed_posts,
  timed.lead_days_p50,
  timed.mean_lead_days,
  timed.planned_posts,
  timed.on_time_share,
  timed.late_posts,
  asked.*,
  commented.*
from report_settings
cross join asked
cross join commented
left join timed on true;
