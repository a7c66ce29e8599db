-- grain: a response about a post's approvals or inline comments, found or missing
-- key: workspace, post_id, source, reading_id
-- reads: new_responses
-- parameters: $reviews (a JSON array)
insert into review_readings by name
select
  responses.workspace,
  responses.post_id,
  responses.kind as source,
  reading_id_of(responses.fetched_at, 0) as reading_id,
  responses.run_id,
  responses.seq,
  responses.fetched_at,
  review.kind,
  list_transform(
    review.approvals,
    lambda approval: struct_update(
      approval,
      due_date := time_of(approval.due_date),
      approved_at := time_of(approval.approved_at),
      created_at := time_of(approval.created_at)
    )
  ) as approvals,
  list_transform(
    review.threads,
    lambda thread: struct_update(
      thread,
      created_at := time_of(thread.created_at),
      updated_at := time_of(thread.updated_at),
      replies := list_transform(
        thread.replies,
        lambda reply: struct_update(reply, created_at := time_of(reply.created_at))
      )
    )
  ) as threads
from rows_of(
  $reviews,
  '[{
    "workspace": "VARCHAR", "run_id": "VARCHAR", "seq": "BIGINT", "kind": "VARCHAR",
    "approvals": [{
      "approval_id": "VARCHAR", "status": "VARCHAR", "is_blocking": "BOOLEAN", "message": "VARCHAR",
      "due_date": "VARCHAR", "approved_at": "VARCHAR", "created_at": "VARCHAR",
      "user_id": "VARCHAR", "user_name": "VARCHAR",
      "requested_by_id": "VARCHAR", "requested_by_name": "VARCHAR", "extra": "VARCHAR"
    }],
    "threads": [{
      "thread_id": "VARCHAR", "resolved": "BOOLEAN", "channel": "VARCHAR", "highlighted_text": "VARCHAR",
      "created_at": "VARCHAR", "updated_at": "VARCHAR",
      "replies": [{
        "reply_id": "VARCHAR", "user_id": "VARCHAR", "user_name": "VARCHAR", "message": "VARCHAR",
        "created_at": "VARCHAR", "reactions": [{"emoji": "VARCHAR", "users": "BIGINT"}]
      }],
      "extra": "VARCHAR"
    }]
  }]'
) as review
join new_responses as responses using (workspace, run_id, seq);
