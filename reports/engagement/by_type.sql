-- grain: one type, as the API names it
-- key: type
-- reads: engagement_groups, engagement_types
-- parameters: none
with types as (
  select name as type, *
  from engagement_groups
  where dimension = 'type' and not is_previous
),
previous as (
  select name as type, engagement_rate as previous_rate
  from engagement_groups
  where dimension = 'type' and is_previous
)
select
  type,
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
  rate_p25,
  rate_p50,
  rate_p75,
  rate_rest,
  lift,
  previous_rate,
  engagement_rate - previous_rate as rate_change
from types
left join engagement_types using (type)
left join previous using (type)
order by rate_p50 desc nulls last, engagement_rate desc nulls last, posts desc, type;
