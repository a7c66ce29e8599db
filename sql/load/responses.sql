-- grain: a response of the batch
-- key: workspace, run_id, seq
-- reads: none
-- parameters: $responses (a JSON array)
insert into new_responses by name
from rows_of(
  $responses,
  '[{
    "workspace": "VARCHAR", "run_id": "VARCHAR", "seq": "BIGINT", "kind": "VARCHAR",
    "profile_id": "VARCHAR", "start_date": "DATE", "end_date": "DATE", "post_id": "VARCHAR",
    "outcome": "VARCHAR", "http_status": "INTEGER", "fetched_at": "TIMESTAMPTZ", "requests": "BIGINT",
    "error": "VARCHAR", "records": "BIGINT", "distinct_posts": "BIGINT", "posts_read": "BIGINT",
    "rejected": "BIGINT", "file": "VARCHAR", "first_row": "BIGINT"
  }]'
);
