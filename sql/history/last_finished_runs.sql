-- grain: one job
-- key: job
-- reads: runs
-- parameters: none
select
  job,
  epoch_ms(max(started_at)) as started_at_ms
from runs
where finished_at is not null
group by job
order by job;
