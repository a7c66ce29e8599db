-- grain: at most one row; none without enough posts that were read at 7 days and at the final age
-- reads: growth_shares
-- parameters: $final_day, $minimum_posts
select
  'After 7 days posts have {share:rate} of the impressions of day {final_day:count} (n = {posts:count})' as text,
  ratio_of_sums(early, final) as share,
  count(*) as posts,
  $final_day::integer as final_day
from growth_shares
where metric = 'impression_count' and age = 7 and early is not null and final is not null
having count(*) >= $minimum_posts::bigint;
