-- grain: one row: all posts of the report, their approvals and their comments
-- reads: report_posts, report_settings, review_readings, workflow_approvals, workflow_groups, workflow_rounds
--
-- Approvals and comments are null where those of no post were read. median and mean are phrases.
with created as (
  select count(created_at) as detailed, count(*) filter (where created_at > published_at) as late
  from report_posts
),
reviewed as (
  select
    count(distinct (workspace, post_id)) filter (where source = 'approvals') as approved,
    count(distinct (workspace, post_id)) filter (where source = 'comments') as commented
  from review_readings
  semi join report_posts using (workspace, post_id)
  where kind = 'found'
),
asked as (
  select
    count(*) as approvals,
    case when count(decision_days) >= 10 then median(decision_days) end as decision_days_p50,
    exact_sum(decision_days) / nullif(count(decision_days), 0) as mean_decision_days,
    count(*) filter (where is_open) as open_approvals,
    count(*) filter (where is_overdue) as overdue_approvals,
    count(*) filter (where is_open and is_blocking) as blocking_approvals,
    count(distinct (workspace, post_id)) filter (where is_missing) as posts_unapproved
  from workflow_approvals
),
rounds as (
  select
    nullif(count(*), 0) as posts_with_comments_read,
    sum(threads)::bigint as threads,
    sum(open_threads)::bigint as open_threads,
    sum(rounds) / nullif(count(*), 0) as rounds_per_post
  from workflow_rounds
)
select
  timed.* replace (coalesce(timed.posts, 0) as posts, coalesce(timed.timed_posts, 0) as timed_posts),
  created.*,
  reviewed.*,
  asked.*,
  rounds.*,
  case when lead_days_p50 >= 2 then '{median_days|# day|# days}' else '{median_time:duration}' end as median,
  case when mean_lead_days >= 2 then '{mean_days|# day|# days}' else '{mean_time:duration}' end as mean,
  lead_days_p50 * 86400 as median_time,
  mean_lead_days * 86400 as mean_time,
  round(lead_days_p50) as median_days,
  round(mean_lead_days) as mean_days
from report_settings
cross join created
cross join reviewed
cross join rounds
left join asked on approved > 0
left join (from workflow_groups where dimension = 'all') as timed on true;
