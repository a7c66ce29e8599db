-- grain: at most one row; none under 8 weeks of enough posts, 4 in each half of the period
-- key: none
-- reads: engagement_groups, report_settings
-- parameters: $minimum_posts
with weeks as (
  select day as week, engagements, rated_impressions, rated_posts
  from engagement_groups
  where dimension = 'week' and not is_previous and rated_posts > 0
),
bounds as (
  select
    coalesce(any_value(period_from), min(week)) as first_day,
    coalesce(any_value(period_to), max(week)) as last_day
  from report_settings
  left join weeks on true
),
halves as (
  select
    week > first_day + ((last_day - first_day) // 2)::integer as is_second,
    finite(fsum(engagements order by engagements) / nullif(sum(rated_impressions), 0)) as rate,
    sum(rated_posts) as posts,
    count(*) as weeks
  from weeks
  cross join bounds
  group by is_second
),
pair as (
  select
    any_value(rate) filter (where not is_second) as first_rate,
    any_value(rate) filter (where is_second) as second_rate
  from halves
  having count(*) = 2 and min(weeks) >= 4 and min(posts) >= $minimum_posts::bigint
)
select
  case
    when abs(second_rate - first_rate) < 0.0005
      then 'The rate held at {second_rate:rate} from the first half to the second'
    when second_rate > first_rate
      then 'The rate rose from {first_rate:rate} in the first half to {second_rate:rate} in the second'
    else 'The rate fell from {first_rate:rate} in the first half to {second_rate:rate} in the second'
  end as text,
  first_rate,
  second_rate
from pair;
