-- grain: one metric and one age in days, of metrics that some post has at both ages
-- key: metric, age
-- reads: growth_shares, metrics
-- parameters: $minimum_posts
with shares as (
  select position, title, age, early, final, finite(early / final) as share
  from growth_shares
  join metrics using (metric)
  where early is not null and final is not null
)
select
  title as metric,
  age,
  count(*) as posts,
  case when count(*) >= $minimum_posts::bigint then ratio_of_sums(early, final) end as share,
  case when count(shares.share) >= $minimum_posts::bigint then quantile_cont(shares.share, 0.25) end as p25,
  case when count(shares.share) >= $minimum_posts::bigint then median(shares.share) end as median,
  case when count(shares.share) >= $minimum_posts::bigint then quantile_cont(shares.share, 0.75) end as p75
from shares
group by position, title, age
order by position, age;
