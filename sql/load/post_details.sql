-- grain: a response about a post's details, found or missing
-- key: workspace, post_id, reading_id
-- reads: new_responses
-- parameters: $details (a JSON array)
insert into post_details
select
  responses.workspace,
  responses.post_id,
  reading_id_of(responses.fetched_at, 0) as reading_id,
  responses.run_id,
  responses.seq,
  responses.fetched_at,
  detail.kind,
  detail.title,
  detail.url,
  detail.status,
  detail.channels,
  detail.publish_date,
  time_of(detail.publish_at) as publish_at,
  time_of(detail.created_at) as created_at,
  time_of(detail.updated_at) as updated_at,
  detail.labels,
  detail.linkedin::json as linkedin,
  detail.x::json as x,
  detail.extra::json as extra
from rows_of(
  $details,
  '[{
    "workspace": "VARCHAR", "run_id": "VARCHAR", "seq": "BIGINT",
    "kind": "VARCHAR", "title": "VARCHAR", "url": "VARCHAR", "status": "VARCHAR",
    "channels": ["VARCHAR"], "publish_date": "DATE", "publish_at": "VARCHAR",
    "created_at": "VARCHAR", "updated_at": "VARCHAR",
    "labels": [{
      "label_id": "VARCHAR", "name": "VARCHAR", "color": "VARCHAR", "background_color": "VARCHAR"
    }],
    "linkedin": "VARCHAR", "x": "VARCHAR", "extra": "VARCHAR"
  }]'
) as detail
join new_responses as responses using (workspace, run_id, seq);
