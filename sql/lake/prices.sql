-- grain: one price of a list, which all shards have alike
-- reads: shard_rows
select distinct *
from shard_rows
