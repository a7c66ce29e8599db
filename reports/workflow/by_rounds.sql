-- grain: one number of rounds of comments that posts have: 0, 1, 2, 3 or more
-- key: rounds
-- reads: workflow_rounds
with counted as (
  select *, least(rounds, 3) as n
  from workflow_rounds
)
select
  case when n = 3 then '3 or more' else n::varchar end as rounds,
  count(*) as posts,
  count(*) / sum(count(*)) over () as posts_share,
  sum(threads)::bigint as threads,
  sum(open_threads)::bigint as open_threads,
  sum(replies)::bigint as replies,
  case when count(lead_days) >= 10 then median(lead_days) end as lead_days_p50,
  exact_sum(lead_days) / nullif(count(lead_days), 0) as mean_lead_days
from counted
group by n
order by n;
