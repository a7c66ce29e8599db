-- grain: one ISO week from the first to the last with posts, those without too; posts without a time are in none
-- key: week
-- reads: engagement_groups
-- parameters: none
with weeks_with_posts as (
  select day as week, *
  from engagement_groups
  where dimension = 'week' and not is_previous
),
weeks as (
  select unnest(generate_series(min(week), max(week), interval 7 days))::date as week
  from weeks_with_posts
),
previous as (
  select day as week, posts as previous_posts, engagement_rate as previous_rate
  from engagement_groups
  where dimension = 'week' and is_previous
)
select
  week,
  coalesce(posts, 0) as posts,
  impressions,
  engagements,
  engagement_rate,
  interactions,
  previous_rate,
  engagement_rate - previous_rate as rate_change,
  previous_posts
from weeks
left join weeks_with_posts using (week)
left join previous using (week)
order by week;
