-- grain: at most one row: the first sentence of the page; none without a post
-- reads: workflow_groups, workflow_approvals
with missing as (
  select count(distinct (workspace, post_id)) as unapproved
  from workflow_approvals
  where is_missing
)
select
  case
    when timed_posts = 0 and posts = 1 then 'It is not known when your post was created: no details were read.'
    when timed_posts = 0 then 'It is not known when your {posts:count} posts were created: no details were read.'
    when lead_days_p50 is null and timed_posts = 1
      then 'Your post was published **{mean:phrase}** after being created.{missed:phrase}'
    when lead_days_p50 is null
      then 'Your {timed_posts:count} posts were published **{mean:phrase}** after being created, on average.{missed:phrase}'
    else 'Half of your {timed_posts:count} posts were published within **{median:phrase}** of being created.{missed:phrase}'
  end as text,
  case
    when unapproved > 0
      then ' {unapproved:count} went out without an approval that was asked for.'
    else ''
  end as missed,
  case when lead_days_p50 >= 2 then '{median_days:count} days' else '{median_time:duration}' end as median,
  case when mean_lead_days >= 2 then '{mean_days:count} days' else '{mean_time:duration}' end as mean,
  posts,
  timed_posts,
  lead_days_p50 * 86400 as median_time,
  mean_lead_days * 86400 as mean_time,
  round(lead_days_p50) as median_days,
  round(mean_lead_days) as mean_days,
  unapproved
from workflow_groups
cross join missing
where dimension = 'all';
