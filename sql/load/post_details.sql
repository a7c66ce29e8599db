-- grain: a response about a post's details, found or missing
-- key: workspace, post_id, reading_id
-- reads: new_responses
-- parameters: $details (a JSON array)
insert into post_details by name
select
  responses.post_id,
  responses.fetched_at,
  reading_id_of(responses.fetched_at, 0) as reading_id,
  detail.* replace (
    time_of(detail.publish_at) as publish_at,
    time_of(detail.created_at) as created_at,
    time_of(detail.updated_at) as updated_at
  )
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
