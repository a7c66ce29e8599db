-- grain: a statement that describes a table, a view or a column of the current schema
-- key: statement
-- reads: described_columns
with described as (
  select
    described_columns.*,
    views.view_name is not null as is_view,
    table_comment || if(key is null, '', ' Key: ' || key || '.') as comment_with_key
  from described_columns
  left join duckdb_views() as views
    on views.view_name = described_columns.table_name
    and views.database_name = current_database()
    and views.schema_name = current_schema()
),
comments as (
  select distinct if(is_view, 'view ', 'table ') || table_name as subject, comment_with_key as comment
  from described
  union all
  select 'column ' || table_name || '."' || column_name || '"' as subject, comment
  from described
  where not is_view
    or (select type = 'duckdb' from duckdb_databases() where database_name = current_database())
)
select 'comment on ' || subject || ' is ''' || replace(comment, '''', '''''') || ''';' as statement
from comments
where comment is not null
order by subject;
