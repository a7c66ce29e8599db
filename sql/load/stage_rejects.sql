-- grain: an answer that could not be taken at all
-- key: workspace, reading
-- reads: staged_responses
-- parameters: $rejects (a JSON array)
insert into staged_rejects
select
  staged_responses.workspace,
  staged_responses.run_id,
  staged_responses.seq,
  staged_responses.reading,
  staged_responses.fetched_at,
  case
    when staged_responses.kind = 'post' then staged_responses.workspace || ' GET /posts/{id}'
    else staged_responses.workspace || ' GET /analytics/linkedin/' || staged_responses.profile_id || '/posts'
  end as source,
  reject.reason,
  reject.payload
from (
  select unnest(
    from_json(
      $rejects::json,
      '[{
        "workspace": "VARCHAR", "run_id": "VARCHAR", "seq": "BIGINT",
        "reason": "VARCHAR", "payload": "VARCHAR"
      }]'
    )
  ) as reject
)
join staged_responses
  on staged_responses.workspace = reject.workspace
  and staged_responses.run_id = reject.run_id
  and staged_responses.seq = reject.seq;
