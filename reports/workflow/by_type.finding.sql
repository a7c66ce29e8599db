-- grain: at most one row; none with fewer than 10 posts whose time to publication is known
-- reads: workflow_groups
select
  'Half of the posts are published within {median:phrase} of being created, on average after {mean:phrase}' as text,
  case when lead_p50 >= 172800 then '{median_days:count} days' else '{lead_p50:duration}' end as median,
  case when mean_lead >= 172800 then '{mean_days:count} days' else '{mean_lead:duration}' end as mean,
  lead_p50,
  mean_lead,
  round(lead_p50 / 86400) as median_days,
  round(mean_lead / 86400) as mean_days
from workflow_groups
where dimension = 'all' and lead_p50 is not null;
