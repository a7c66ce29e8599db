-- grain: at most one row; none with fewer than 10 posts whose time to publication is known
-- reads: workflow_groups
select
  'Half of {timed_posts|# post|# posts} went out within {median:phrase} of being created, on average after {mean:phrase}' as text,
  case when lead_days_p50 >= 2 then '{median_days|# day|# days}' else '{median_time:duration}' end as median,
  case when mean_lead_days >= 2 then '{mean_days|# day|# days}' else '{mean_time:duration}' end as mean,
  lead_days_p50 * 86400 as median_time,
  mean_lead_days * 86400 as mean_time,
  timed_posts,
  round(lead_days_p50) as median_days,
  round(mean_lead_days) as mean_days
from workflow_groups
where dimension = 'all' and lead_days_p50 is not null;
