-- grain: at most one row; none without runs
-- reads: report_runs
-- parameters: $runs
select
  case
    when others = 0 then 'The {runs|only run|last # runs} succeeded'
    when runs = 1 then 'The only run did not succeed'
    else '{others:count} of the last {runs|# run|# runs} did not succeed'
  end as text,
  *
from (
  select count(*) as runs, count(*) filter (where status <> 'succeeded') as others
  from (from report_runs where status <> 'running' order by started_at desc, run_id desc limit $runs::bigint)
)
where runs > 0;
