-- grain: one age of posts in days, up to 30
-- key: age
-- reads: growth_gains
-- parameters: $minimum_posts
with ages as (
  select
    age_from as age,
    count(distinct post_number) as posts,
    median(impression_count / days) as median_impressions
  from growth_gains
  where age_from <= 30 and impression_count is not null
  group by age_from
)
select
  age,
  posts,
  case when posts >= $minimum_posts::bigint then median_impressions end as median_impressions
from ages
order by age;
