-- grain: at most one row: the first sentence of the page; none without a post
-- reads: report_posts, workflow_groups, workflow_approvals
with counted as (
  select
    (select nullif(count(distinct (workspace, post_id)), 0) from workflow_approvals where is_missing) as unapproved,
    (select count(*) from report_posts where created_at > published_at) as late
),
-- the posts that were created before they were published, or else those that were created after it
total as (
  select *, posts as whole, case timed_posts when 0 then late else timed_posts end as part
  from workflow_groups
  cross join counted
  where dimension = 'all'
)
select
  case
    when part = 0 then 'The time from creation to publication of {whole|your post|your # posts} is not known.'
    when timed_posts = 0 then '{subject:phrase} {part|was|were} created after publication.{missed:phrase}'
    when lead_days_p50 is null
      then '{subject:phrase} {part|was|were} published **{mean:phrase}** after being created{part||, on average}.{missed:phrase}'
    else 'Half of {part|# post|# posts} with a known time went out within **{median:phrase}** of being created.{missed:phrase}'
  end as text,
  ' {unapproved|# post|# posts} went out without an approval that was asked for.' as missed,
  case when lead_days_p50 >= 2 then '{median_days|# day|# days}' else '{median_time:duration}' end as median,
  case when mean_lead_days >= 2 then '{mean_days|# day|# days}' else '{mean_time:duration}' end as mean,
  subject_of('posts', part, whole) as subject,
  part,
  whole,
  lead_days_p50 * 86400 as median_time,
  mean_lead_days * 86400 as mean_time,
  round(lead_days_p50) as median_days,
  round(mean_lead_days) as mean_days,
  unapproved
from total;
