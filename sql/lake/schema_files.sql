-- grain: an SQL file that is identical in every shard
-- key: name
-- reads: shard_rows
select name, any_value(sha256) as sha256
from shard_rows
group by name
having count(distinct sha256) = 1
  and count(*) = (select count(*) from shard_rows where name = 'migrations/0001_schema.sql')
