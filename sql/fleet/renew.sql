-- grain: the lease that is still held
-- key: name
-- reads: postledger.leases
-- parameters: $1 (name), $2 (token), $3 (milliseconds)
update postledger.leases
set expires_at = now() + $3 * interval '1 millisecond'
where name = $1 and token = $2
returning name
