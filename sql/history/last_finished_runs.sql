-- grain: one job
-- key: job
-- reads: runs
-- parameters: $open_runs (run ids that have not ended)
select
  job,
  epoch_ms(max(started_at)) as started_at_ms
from runs
where finished_at is not null and not list_contains($open_runs::varchar[], run_id)
group by job
order by job;
