-- grain: at most one row; none without runs
-- reads: report_runs
-- parameters: $runs
with newest as (
  select *
  from report_runs
  order by started_at desc, run_id desc
  limit $runs::bigint
),
figures as (
  select count(*) as runs, count(*) filter (where status <> 'succeeded') as others
  from newest
)
select
  case
    when runs = 1 and others = 0 then 'The only run succeeded'
    when runs = 1 then 'The only run did not succeed'
    when others = 0 then 'The last {runs:count} runs succeeded'
    else '{others:count} of the last {runs:count} runs did not succeed'
  end as text,
  runs,
  others
from figures
where runs > 0;
