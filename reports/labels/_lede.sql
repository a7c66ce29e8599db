-- grain: at most one row: the first sentence of the page; none without a post
-- reads: label_totals, report_posts
with counted as (
  select
    count(*) as posts,
    count(*) filter (where len(labels) > 0) as n,
    count(*) filter (where len(labels) > 1) as several
  from report_posts
)
select
  case
    when emv > 0 and emv < 10 then '{labelled:phrase} and {n|earned|earned} **{emv:money_exact}** of media value.{overlap:phrase}'
    when emv > 0 then '{labelled:phrase} and {n|earned|earned} **{emv:money}** of media value.{overlap:phrase}'
    else '{labelled:phrase}.{overlap:phrase}'
  end as text,
  case
    when n = 0 and counted.posts = 1 then 'Your post has no label'
    when n = 0 then 'None of your {posts:count} posts has a label'
    when n = counted.posts and n = 1 then 'Your post has a label'
    when n = counted.posts then 'All your {posts:count} posts have a label'
    else '{n:count} of your {posts:count} posts {n|has|have} a label'
  end as labelled,
  case when several > 0 then ' {several:count} {several|has|have} several, so labels overlap.' else '' end as overlap,
  n,
  counted.posts,
  several,
  emv
from counted
cross join label_totals
where is_current and dimension = 'labelled' and counted.posts > 0;
