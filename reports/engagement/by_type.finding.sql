-- grain: at most one row; none if no type does better within pages and within members
-- reads: engagement_types
-- parameters: $minimum_posts
select
  '{type:phrase} get {factor:decimal} times the engagement rate of other posts{among:phrase}' as text,
  among,
  posts_of_type as type,
  lift_factor as factor
from engagement_types
where is_finding and posts_compared >= $minimum_posts::bigint
order by lift_factor desc, engagement_types.type
limit 1;
