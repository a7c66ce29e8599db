-- grain: work that a run has finished
-- key: job, slot, name
-- reads: none
-- parameters: $1 (name), $2 (job), $3 (slot)
with old as (
  delete from postledger.finished_work
  where job = $2 and slot < $3::timestamptz - interval '30 days'
)
insert into postledger.finished_work (job, slot, name)
values ($2, $3::timestamptz, $1)
on conflict do nothing
