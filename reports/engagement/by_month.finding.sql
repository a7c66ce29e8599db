-- grain: at most one row; none without three months of enough posts
-- key: none
-- reads: report_posts
-- parameters: $minimum_posts
with months as (
  select published_month as month, ratio_of_sums(engagements, impression_count) as rate
  from report_posts
  where published_month is not null
  group by published_month
  having count(engagements) >= $minimum_posts::bigint
),
total as (
  select ratio_of_sums(engagements, impression_count) as overall
  from report_posts
)
select
  '{month:month} had the highest rate, {rate:rate}, against {overall:rate} overall' as text,
  month,
  rate,
  overall
from months
cross join total
where (select count(*) from months) >= 3 and rate > overall
order by rate desc, month
limit 1;
