-- grain: one month from the first to the last with posts, those without too; posts without a time are under an empty month
-- key: month
-- reads: engagement_groups, report_months
-- parameters: none
with months_with_posts as (
  select day as month, *
  from engagement_groups
  where dimension = 'month' and not is_previous
),
months as (
  select month
  from report_months
  union
  select month
  from months_with_posts
),
-- set beside the month so much later; only whole months can be
previous as (
  select day as month, engagement_rate as previous_rate
  from engagement_groups
  where dimension = 'month' and is_previous
)
select
  months.month,
  coalesce(posts, 0) as posts,
  impressions,
  engagements,
  engagement_rate,
  interactions,
  likes,
  comments,
  shares,
  clicks,
  saves,
  sends,
  previous_rate,
  engagement_rate - previous_rate as rate_change
from months
left join months_with_posts on months_with_posts.month is not distinct from months.month
left join previous on previous.month = months.month
order by months.month nulls last;
