-- grain: a table of the warehouse; a shard of a lake has settings of its own
-- key: table_name
-- reads: none
-- parameters: none
select table_name
from duckdb_tables()
where database_name = 'rebuilt' and table_name not in ('schema_files', 'load_settings')
order by table_name;
