-- grain: one type, as the API names it
-- key: type
-- reads: engagement_groups, engagement_posts, engagement_types
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
),
medians as (
  select
    type,
    case when count(*) filter (where kind = 'page') >= 10 then median(engagement) filter (where kind = 'page') end as page_p50,
    case when count(*) filter (where kind = 'member') >= 10 then median(engagement) filter (where kind = 'member') end as member_p50
  from engagement_posts
  where not is_previous and rate is not null
  group by type
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
  page_p50,
  member_p50,
  rate_rest,
  lift,
  previous_rate,
  engagement_rate - previous_rate as rate_change
from types
left join engagement_types using (type)
left join medians using (type)
left join previous using (type)
order by lift desc nulls last, engagement_rate desc nulls last, posts desc, type;
