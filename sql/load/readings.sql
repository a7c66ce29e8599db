-- grain: a record of an analytics response of the batch
-- key: workspace, linkedin_post_id, reading_id
-- reads: new_responses
-- parameters: $files (in the order of their first_row), $largest_file (bytes)
--
-- One typed scan reads all files, each of which holds an array of records of the documented types
-- (src/load/analytics-record.ts). `servicePost` is replaced by the service's own name for the linked post, `countFields` by
-- each count of the API.
insert into readings by name
with records as (
  select *, row_number() over () as row
  from read_json(
    $files,
    format = 'array',
    filename = true,
    maximum_object_size = $largest_file,
    columns = {
      'id': 'VARCHAR',
      'url': 'VARCHAR',
      'commentary': 'VARCHAR',
      'type': 'VARCHAR',
      'publishedAt': 'VARCHAR',
      'countFields': 'BIGINT',
      'engagement': 'DOUBLE',
      'emv': 'DOUBLE',
      'servicePost': 'STRUCT(
        id VARCHAR, title VARCHAR, labels STRUCT("labelId" VARCHAR, id VARCHAR, name VARCHAR)[],
        campaign STRUCT(id VARCHAR, name VARCHAR)
      )',
      '_extra': 'JSON',
      '_unreadable': 'VARCHAR[]'
    }
  )
)
select
  responses.workspace,
  records.id as linkedin_post_id,
  reading_id_of(responses.fetched_at, records.row - responses.first_row) as reading_id,
  responses.run_id,
  responses.seq,
  responses.fetched_at,
  responses.profile_id,
  records.url,
  records.commentary,
  records.type,
  records.publishedAt::timestamptz as published_at,
  records."countFields",
  records.engagement,
  records.emv,
  records."servicePost".id as post_id,
  records."servicePost".title as title,
  list_transform(
    records."servicePost".labels,
    lambda label: {
      'label_id': coalesce(label.labelId, label.id),
      'name': label.name,
      'color': null::varchar,
      'background_color': null::varchar
    }
  ) as labels,
  records."servicePost".campaign.id as campaign_id,
  records."servicePost".campaign.name as campaign_name,
  records._extra as extra,
  records._unreadable as unreadable
from records
join new_responses as responses
  on responses.file = records.filename;
