-- grain: at most one row; none if every thread is resolved
-- reads: workflow_threads
select
  '{threads:count} {threads|thread|threads} of comments on {posts:count} published {posts|post|posts} {threads|is|are} not resolved' as text,
  count(*) as threads,
  count(distinct (workspace, post_id)) as posts
from workflow_threads
where is_open
having count(*) > 0;
