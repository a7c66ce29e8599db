-- grain: a post that an answer told of whose body was pruned, with the fingerprint of what it said
-- key: workspace, reading, post_id
-- reads: staged_responses
-- parameters: $mentions (a JSON array)
create or replace temp table staged_fingerprints as
select
  staged_responses.workspace,
  mention.post_id,
  staged_responses.reading,
  staged_responses.fetched_at,
  mention.fingerprint
from (
  select unnest(
    from_json(
      $mentions::json,
      '[{
        "workspace": "VARCHAR", "run_id": "VARCHAR", "seq": "BIGINT",
        "post_id": "VARCHAR", "fingerprint": "VARCHAR"
      }]'
    )
  ) as mention
)
join staged_responses
  on staged_responses.workspace = mention.workspace
  and staged_responses.run_id = mention.run_id
  and staged_responses.seq = mention.seq;
