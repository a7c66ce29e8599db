-- grain: an event that has not been loaded yet
-- key: event_key
-- reads: none
-- parameters: $file (NDJSON), $longest_line (bytes)
insert into webhook_events by name
select
  * replace (time_of(created_at) as created_at, received_at::timestamptz as received_at),
  -- two events of the same millisecond are ordered by their keys
  reading_id_of(
    coalesce(time_of(created_at), received_at::timestamptz), ('0x' || left(event_key, 5))::bigint
  ) as reading_id,
  '' as outcome
from read_json(
  $file,
  format = 'newline_delimited',
  maximum_object_size = $longest_line,
  columns = {
    'event_key': 'VARCHAR',
    'type': 'VARCHAR',
    'created_at': 'VARCHAR',
    'received_at': 'VARCHAR',
    'workspace_id': 'VARCHAR',
    'workspace_slug': 'VARCHAR',
    'payload': 'VARCHAR',
    'post': 'STRUCT(
      post_id VARCHAR, title VARCHAR, url VARCHAR, status VARCHAR, channels VARCHAR[],
      labels STRUCT(label_id VARCHAR, name VARCHAR, color VARCHAR, background_color VARCHAR)[],
      campaign STRUCT(
        campaign_id VARCHAR, name VARCHAR, dates STRUCT(start_date VARCHAR, end_date VARCHAR)
      ),
      removed_at VARCHAR, removed_by VARCHAR, linkedin VARCHAR, x VARCHAR, extra VARCHAR
    )',
    'invite': 'STRUCT(
      invite_id VARCHAR, email VARCHAR, created_at VARCHAR, invited_by VARCHAR,
      workspace_slug VARCHAR, sent_email BOOLEAN
    )',
    'problem': 'VARCHAR'
  }
);
