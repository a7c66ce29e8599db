-- grain: at most one row; none without posts that have a time and a rate
-- key: none
-- reads: engagement_slots, report_settings
-- parameters: none
with ranked as (
  select
    count(rank) as slots,
    sum(rated_posts) as posts,
    any_value(overall) as overall
  from engagement_slots
),
first as (
  select weekday, hour, rated_posts as n, shrunk_rate as rate, doubt
  from engagement_slots
  where rank = 1
  order by weekday, hour
  limit 1
)
select
  case
    when slots < 3 then 'Not enough posts to name a best hour'
    -- twice the deviation that is left after shrinking is 1 in 40 by chance
    when doubt is null or rate - overall < 2 * doubt or rate <= overall
      then 'No hour stands out from the {overall:rate} of all posts'
    when locale like 'en%'
      then '{weekday:weekday}s at {hour:hour} lead with {rate:rate} (n = {n:count}), against {overall:rate} overall'
    else '{weekday:weekday} at {hour:hour} leads with {rate:rate} (n = {n:count}), against {overall:rate} overall'
  end as text,
  weekday,
  hour,
  rate,
  n,
  overall
from ranked
cross join report_settings
left join first on true
where posts > 0 and overall is not null;
