-- grain: one row: the posts with EMV; none if there are none
-- reads: emv_ranks
--
-- There are no quantiles of fewer than 10 posts, since these would be single posts.
with posts as (
  select count(*) as posts, exact_sum(emv) / count(*) as emv_per_post
  from emv_ranks
  having count(*) > 0
)
select
  posts.posts,
  min(emv) as least_emv,
  case when posts.posts >= 10 then quantile_cont(emv, 0.1) end as p10_emv,
  case when posts.posts >= 10 then quantile_cont(emv, 0.25) end as p25_emv,
  case when posts.posts >= 10 then median(emv) end as median_emv,
  posts.emv_per_post,
  case when posts.posts >= 10 then quantile_cont(emv, 0.75) end as p75_emv,
  case when posts.posts >= 10 then quantile_cont(emv, 0.9) end as p90_emv,
  max(emv) as largest_emv,
  count(*) filter (where emv < posts.emv_per_post) / posts.posts as below_mean
from emv_ranks
cross join posts
group by posts.posts, posts.emv_per_post
order by posts.posts;
