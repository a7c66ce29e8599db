-- grain: one row; all shards share a time zone, and each has the settings of its own workspaces
-- reads: shard_rows
select
  any_value(timezone) as timezone,
  '[]'::json as profiles,
  '{}'::json as slugs,
  any_value(prices) as prices,
  any_value(figures) as figures
from shard_rows
having count(*) > 0
