-- grain: work that the run has not finished
-- key: name
-- reads: postledger.leases, postledger.finished_work
-- parameters: $1 (names), $2 (job), $3 (slot)
select leases.name, case when leases.expires_at > now() then leases.host end as host
from postledger.leases
where leases.name = any($1::text[])
  and not exists (
    select
    from postledger.finished_work as finished
    where finished.name = leases.name and finished.job = $2 and finished.slot = $3::timestamptz
  )
order by leases.name
