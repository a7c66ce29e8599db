-- grain: at most one row; none without posts that have a time and a rate
-- reads: engagement_slots
with ranked as (
  select
    count(rank) as slots,
    sum(rated_posts) as posts,
    any_value(overall) as overall
  from engagement_slots
),
-- a deviation of twice the remaining one has a probability of 1 in 40
first as (
  select weekday, hour, rated_posts as n, shrunk_rate as rate, among
  from engagement_slots
  join compared_of('engagement_kinds', 'hour', 5) on name = weekday || ' ' || lpad(hour::varchar, 2, '0')
  where rank = 1 and is_finding and shrunk_rate - overall >= 2 * doubt
  order by weekday, hour
  limit 1
)
select
  case
    when slots < 3 then 'Too few posts to name a best hour'
    when rate is null then 'No hour stands out from the overall rate of {overall:rate}'
    else '{weekday:weekday}s at {hour:hour} lead with {rate:rate} (n = {n:count}); the overall rate is {overall:rate}{among:phrase}'
  end as text,
  among,
  weekday,
  hour,
  rate,
  n,
  overall
from ranked
left join first on true
where posts > 0 and overall is not null;
