-- grain: at most one row; none without three slots of 5 posts or more
-- key: none
-- reads: report_posts
-- parameters: none
with slots as (
  select
    isodow(published_local)::integer as weekday,
    hour(published_local)::integer as hour,
    ratio_of_sums(engagements, impression_count) as rate,
    count(engagements) as n
  from report_posts
  where published_local is not null
  group by all
  having count(engagements) >= 5
),
total as (
  select ratio_of_sums(engagements, impression_count) as overall
  from report_posts
)
select
  '{weekday:weekday} at {hour:hour} leads with {rate:rate} (n = {n:count}), against {overall:rate} overall' as text,
  weekday,
  hour,
  rate,
  n,
  overall
from slots
cross join total
where (select count(*) from slots) >= 3 and rate > overall
order by rate desc, weekday, hour
limit 1;
