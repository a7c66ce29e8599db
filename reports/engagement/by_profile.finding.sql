-- grain: at most one row; none unless two profiles of a kind have enough posts
-- key: none
-- reads: engagement_groups
-- parameters: $minimum_posts
with ranked as (
  select
    kind,
    coalesce(profile, name) as profile,
    engagement_rate as rate,
    row_number() over (
      partition by kind
      order by engagement_rate desc, coalesce(profile, name), workspace, name
    ) as rank,
    count(*) over (partition by kind) as profiles,
    min(engagement_rate) over (partition by kind) as least
  from engagement_groups
  where dimension = 'profile'
    and not is_previous
    and kind is not null
    and engagement_rate is not null
    and rated_posts >= $minimum_posts::bigint
),
best as (
  select
    any_value(profile) filter (where kind = 'page') as page,
    any_value(rate) filter (where kind = 'page') as page_rate,
    any_value(profile) filter (where kind = 'member') as member,
    any_value(rate) filter (where kind = 'member') as member_rate
  from ranked
  where rank = 1 and profiles >= 2 and rate > least
)
select
  case
    when page is not null and member is not null
      then 'Of the pages {page:text} has the highest rate, {page_rate:rate}; of the members {member:text}, {member_rate:rate}'
    when page is not null then 'Of the pages {page:text} has the highest rate, {page_rate:rate}'
    else 'Of the members {member:text} has the highest rate, {member_rate:rate}'
  end as text,
  page,
  page_rate,
  member,
  member_rate
from best
where page is not null or member is not null;
