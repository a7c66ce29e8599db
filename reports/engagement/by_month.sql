-- grain: one month of publication with posts; posts without a time are under an empty month
-- key: month
-- reads: engagement_groups
-- parameters: none
with months as (
  select day as month, *
  from engagement_groups
  where dimension = 'month' and not is_previous
),
-- set beside the month so much later; only whole months can be
previous as (
  select day as month, engagement_rate as previous_rate
  from engagement_groups
  where dimension = 'month' and is_previous
)
select
  month,
  posts,
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
left join previous using (month)
order by month nulls last;
