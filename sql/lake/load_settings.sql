-- grain: the lake, whose shards have one time zone, and each the settings of its own workspaces
-- reads: shard_rows
select any_value(timezone) as timezone, '[]'::json as profiles, '{}'::json as slugs
from shard_rows
having count(*) > 0
