-- grain: a table, in two warehouses
-- key: none
-- reads: none
-- parameters: $published and $rebuilt (the table in each)
--
-- Rows are compared by their hashes, which need a fraction of the memory of rows with texts.
with hashes as (
  select hash(published) as row_hash, 1 as published, 0 as rebuilt
  from query_table($published) as published
  union all
  select hash(rebuilt), 0, 1
  from query_table($rebuilt) as rebuilt
),
counts as (
  select sum(published) as published, sum(rebuilt) as rebuilt
  from hashes
  group by row_hash
)
select
  coalesce(sum(published), 0)::bigint as rows,
  coalesce(sum(greatest(published - rebuilt, 0)), 0)::bigint as missing,
  coalesce(sum(greatest(rebuilt - published, 0)), 0)::bigint as extra
from counts;
