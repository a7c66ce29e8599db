-- grain: a table of the warehouse
-- key: table_name
-- reads: none
-- parameters: none
select table_name
from duckdb_tables()
where database_name = 'rebuilt' and table_name <> 'schema_files'
order by table_name;
