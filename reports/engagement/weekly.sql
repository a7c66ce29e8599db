-- grain: one ISO week of the period, those without posts too; posts without a time are in none
-- key: week
-- reads: engagement_groups, report_settings
-- parameters: none
with weeks_with_posts as (
  select day as week, *
  from engagement_groups
  where dimension = 'week' and not is_previous
),
bounds as (
  select
    date_trunc('week', coalesce(any_value(period_from), min(week)))::date as first_week,
    date_trunc('week', coalesce(any_value(period_to), max(week)))::date as last_week
  from report_settings
  left join weeks_with_posts on true
),
-- a post that is dated centuries away fills no file with empty weeks
weeks as (
  select
    unnest(generate_series(greatest(first_week, last_week - 7 * 1200), last_week, interval 7 days))::date
      as week
  from bounds
  union
  select week
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
