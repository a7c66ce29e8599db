-- grain: a table or a view of the current schema, as JSON with its columns
-- key: name
-- reads: described_columns
select
  table_name as name,
  to_json({
    'name': table_name,
    'kind': kind,
    'comment': table_comment,
    'key': string_split(key, ', '),
    'columns': list(
      {'name': column_name, 'type': data_type, 'required': not is_nullable, 'comment': comment}
      order by column_index
    )
  }) as entry
from described_columns
group by position, table_name, kind, table_comment, key
order by position;
