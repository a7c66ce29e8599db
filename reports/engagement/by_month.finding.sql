-- grain: at most one row; none without three months of enough posts
-- key: none
-- reads: engagement_groups
-- parameters: $minimum_posts
with months as (
  select day as month, engagement_rate as rate
  from engagement_groups
  where dimension = 'month'
    and not is_previous
    and day is not null
    and rated_posts >= $minimum_posts::bigint
),
total as (
  select engagement_rate as overall
  from engagement_groups
  where dimension = 'total' and not is_previous
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
