-- grain: at most one row; none if every approval was given before publication
-- reads: workflow_approvals
with counted as (
  select
    count(distinct (workspace, post_id)) as posts,
    count(distinct (workspace, post_id)) filter (where is_blocking) as blocking
  from workflow_approvals
  where is_missing
)
select
  case
    when blocking > 0
      then '{posts:count} {posts|post|posts} went out without an approval that was asked for, {blocking:count} without a blocking one'
    else '{posts:count} {posts|post|posts} went out without an approval that was asked for, none without a blocking one'
  end as text,
  posts,
  blocking
from counted
where posts > 0;
