-- grain: one ISO week from the first to the last with posts, including those without; posts without a time are in none
-- key: week
-- reads: engagement_sums
with sums as (
  select name::date as week, *
  from engagement_sums
  where dimension = 'weekly' and not is_monthly
),
weeks as (
  select unnest(generate_series(min(week), max(week), interval 7 days))::date as week
  from sums
  where is_current
)
select
  week,
  coalesce(shown.posts, 0) as posts,
  shown.impressions,
  shown.engagements,
  shown.engagement_rate,
  shown.interactions,
  previous.engagement_rate as previous_rate,
  shown.engagement_rate - previous.engagement_rate as rate_change,
  previous.posts as previous_posts
from weeks
left join (from sums where is_current) as shown using (week)
left join (from sums where not is_current) as previous using (week)
order by week;
