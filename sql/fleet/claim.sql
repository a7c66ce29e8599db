-- grain: the claimed work, at most one
-- key: name
-- reads: postledger.leases, postledger.finished_work
-- parameters: $1 (names), $2 (holder), $3 (its host), $4 (milliseconds), $5 (job), $6 (slot); job and slot are null without a scheduled run
--
-- A machine prefers work that it held last: if it died there, the rest of what it read is on its disk. idle_ms is the
-- time since another holder may last have sent requests.
with free as (
  select name, holder, expires_at
  from postledger.leases
  where name = any($1::text[])
    and (expires_at is null or expires_at <= now())
    and not exists (
      select
      from postledger.finished_work as finished
      where finished.name = leases.name and finished.job = $5 and finished.slot = $6::timestamptz
    )
  order by holder is distinct from $2, expires_at nulls first, name
  limit 1
  for update skip locked
)
update postledger.leases
set
  holder = $2,
  host = $3,
  token = leases.token + 1,
  expires_at = now() + $4 * interval '1 millisecond'
from free
where leases.name = free.name
returning
  leases.name,
  leases.token,
  case when free.holder <> $2 then (1000 * extract(epoch from now() - free.expires_at))::double precision end as idle_ms
