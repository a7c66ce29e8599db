-- grain: the lease that is given back
-- key: name
-- reads: postledger.leases
-- parameters: $1 (name), $2 (token)
update postledger.leases
set expires_at = now()
where name = $1 and token = $2 and expires_at > now()
