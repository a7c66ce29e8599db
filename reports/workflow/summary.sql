-- grain: one row: all posts of the report
-- reads: report_settings, workflow_asked, workflow_groups, workflow_rounds
with timed as (
  select *
  from workflow_groups
  where dimension = 'all'
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
  workflow_asked.*,
  commented.*
from report_settings
cross join workflow_asked
cross join commented
left join timed on true;
