-- grain: at most one row; none with fewer than 20 posts with EMV, or if the top posts have little more than others
-- reads: emv_ranks
with figures as (
  select
    count(*) as posts,
    exact_sum(case when rank <= 10 then emv end) / nullif(exact_sum(emv), 0) as top_share
  from emv_ranks
  where are_parts
)
select
  '10 of {posts|# post|# posts} account for {top_share:share} of the EMV' as text,
  posts,
  top_share
from figures
where posts >= 20 and is_concentrated(top_share, 10, posts);
