-- grain: an approval, or a thread of inline comments, of a post that the load touches, as in its last response
-- key: workspace, post_id, approval_id; workspace, post_id, thread_id
-- reads: touched_reviews, review_readings
-- parameters: none
create or replace temp table last_reviews as
select
  workspace,
  post_id,
  max_by(approvals, reading_id) as approvals,
  max_by(threads, reading_id) as threads,
  max(fetched_at) as fetched_at
from review_readings
semi join touched_reviews as touched
  on touched.workspace = review_readings.workspace
  and touched.post_id = second_key(review_readings.post_id)
  and touched.source = review_readings.source
where kind = 'found'
group by workspace, post_id, source;

delete from approvals
using touched_reviews as touched
where touched.source = 'approvals'
  and approvals.workspace = touched.workspace
  and approvals.post_id = touched.post_id;

-- Of one that a response has twice, the last counts.
insert into approvals by name
with given as (
  select
    workspace,
    post_id,
    unnest(approvals) as approval,
    generate_subscripts(approvals, 1) as position,
    fetched_at
  from last_reviews
)
select workspace, post_id, approval.*, fetched_at
from given
qualify row_number() over (
  partition by workspace, post_id, approval.approval_id
  order by position desc
) = 1;

delete from inline_comments
using touched_reviews as touched
where touched.source = 'comments'
  and inline_comments.workspace = touched.workspace
  and inline_comments.post_id = touched.post_id;

insert into inline_comments by name
with given as (
  select
    workspace,
    post_id,
    unnest(threads) as thread,
    generate_subscripts(threads, 1) as position,
    fetched_at
  from last_reviews
)
select workspace, post_id, thread.*, fetched_at
from given
qualify row_number() over (
  partition by workspace, post_id, thread.thread_id
  order by position desc
) = 1;
