-- grain: a response that is in landing and not in the ledger
-- key: workspace, run_id, seq
-- reads: none
-- parameters: $responses (a JSON array)
create or replace temp table staged_responses as
select
  response.workspace,
  response.run_id,
  response.seq,
  strftime(response.fetched_at::timestamptz, '%Y-%m-%dT%H:%M:%S.%fZ')
    || ' ' || response.run_id || ' ' || format('{:09d}', response.seq) as reading,
  response.kind,
  response.profile_id,
  response.start_date::date as start_date,
  response.end_date::date as end_date,
  response.post_id,
  response.outcome,
  response.http_status,
  response.fetched_at::timestamptz as fetched_at,
  response.requests,
  response.error,
  response.records,
  response.distinct_posts,
  response.linked_post_field,
  response.file,
  response.elements,
  response.known_posts_read,
  response.known_rejected,
  -- of two records of the batch the later one has the larger ordinal: this plus its position
  row_number() over (order by reading, response.workspace) * 4294967296 as first_ordinal
from (
  select unnest(
    from_json(
      $responses::json,
      '[{
        "workspace": "VARCHAR", "run_id": "VARCHAR", "seq": "BIGINT", "elements": "BIGINT", "kind": "VARCHAR",
        "profile_id": "VARCHAR", "start_date": "VARCHAR", "end_date": "VARCHAR", "post_id": "VARCHAR",
        "outcome": "VARCHAR", "http_status": "INTEGER", "fetched_at": "VARCHAR", "requests": "BIGINT",
        "error": "VARCHAR", "records": "BIGINT", "distinct_posts": "BIGINT", "linked_post_field": "VARCHAR", "file": "VARCHAR",
        "known_posts_read": "BIGINT", "known_rejected": "BIGINT"
      }]'
    )
  ) as response
);

-- Records that cannot be taken, from every kind of answer.
create or replace temp table staged_rejects (
  workspace varchar,
  run_id varchar,
  seq bigint,
  reading varchar,
  fetched_at timestamptz,
  source varchar,
  reason varchar,
  payload varchar
);
