-- grain: work
-- key: name
-- reads: none
-- parameters: $1 (names)
insert into postledger.leases (name)
select unnest($1::text[])
on conflict do nothing
