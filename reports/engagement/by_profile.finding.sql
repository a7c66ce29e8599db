-- grain: at most one row; none unless the first of two profiles of a kind stays clearly the first without its best post
-- reads: engagement_groups, engagement_kinds
-- parameters: $minimum_posts
with ranked as (
  select
    groups.kind,
    groups.name as profile,
    engagement_rate as rate,
    is_clearly_more(
      without_best,
      max(without_worst) over (
        partition by groups.kind
        order by engagement_rate desc
        rows between 1 following and unbounded following
      ),
      'engagement_rate'
    ) as leads,
    row_number() over (partition by groups.kind order by engagement_rate desc) as rank
  from engagement_groups as groups
  join engagement_kinds as kinds
    on kinds.dimension = 'profile' and kinds.name = groups.workspace || ' ' || groups.profile_id
  where groups.dimension = 'profile'
    and groups.kind is not null
    and rated_posts >= $minimum_posts::bigint
),
best as (
  select
    any_value(profile) filter (where kind = 'page') as page,
    any_value(rate) filter (where kind = 'page') as page_rate,
    any_value(profile) filter (where kind = 'member') as member,
    any_value(rate) filter (where kind = 'member') as member_rate
  from ranked
  where rank = 1 and leads
)
select
  case
    when page is not null and member is not null
      then '{page:text} leads the pages with {page_rate:rate}, {member:text} the members with {member_rate:rate}'
    when page is not null then '{page:text} leads the pages with a rate of {page_rate:rate}'
    else '{member:text} leads the members with a rate of {member_rate:rate}'
  end as text,
  page,
  page_rate,
  member,
  member_rate
from best
where page is not null or member is not null;
