-- grain: a shard of the newest snapshot; one row without a shard where nothing has been loaded
-- key: shard
-- reads: ducklake_snapshot, ducklake_schema, ducklake_table, ducklake_column, ducklake_data_file
--
-- PostgreSQL runs it on DuckLake's own tables: DuckDB would list the tables of all shards one by one. A lake without its
-- settings was not made whole. layout is the same in shards whose tables have the same columns.
with newest as (
  select max(snapshot_id) as snapshot
  from ducklake_snapshot
  where exists (
    select
    from ducklake_table
    where table_name = 'lake_settings' and end_snapshot is null
  )
),
shard_tables as (
  select schema_name as shard, table_id, table_name
  from ducklake_schema
  join ducklake_table using (schema_id)
  where schema_name ~ '^s[0-9][0-9]$'
    and table_name <> 'load_fence'
    and ducklake_schema.end_snapshot is null
    and ducklake_table.end_snapshot is null
),
layouts as (
  select
    shard,
    string_agg(distinct table_name, ' ' order by table_name) as tables,
    md5(string_agg(
      concat_ws(' ', table_name, column_name, column_type), ','
      order by table_name, column_name, column_type
    )) as layout
  from shard_tables
  join ducklake_column using (table_id)
  where end_snapshot is null
  group by shard
),
files as (
  select shard, count(*) as small_files
  from shard_tables
  join ducklake_data_file using (table_id)
  where end_snapshot is null and file_size_bytes < 10000000
  group by shard
)
select snapshot, shard, tables, layout, coalesce(small_files, 0) as small_files
from newest
left join layouts on true
left join files using (shard)
order by shard
