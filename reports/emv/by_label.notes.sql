-- grain: at most one row
-- key: none
-- reads: report_posts
-- parameters: none
with overlapping as (
  select
    count(*) filter (where len(labels) > 1) as posts,
    fsum(emv * greatest(len(labels), 1) order by emv, len(labels)) / nullif(exact_sum(emv), 0) as shares
  from report_posts
)
select
  case
    when posts = 1 then '{posts:count} post has several labels and counts under each'
    else '{posts:count} posts have several labels and count under each'
  end
    || case when shares > 1.0005 then ': the shares add up to {shares:share}.' else '.' end as text,
  posts,
  shares
from overlapping
where posts > 0;
