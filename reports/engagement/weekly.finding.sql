-- grain: at most one row; none with fewer than 4 weeks with posts in either half, or if neither does better within pages and within members
-- reads: engagement_groups
-- parameters: $minimum_posts
select
  case
    when name = 'second'
      then 'Posts of the second half of the period got {factor:decimal} times the engagement rate of the first{among:phrase}'
    else 'Posts of the first half of the period got {factor:decimal} times the engagement rate of the second{among:phrase}'
  end as text,
  among,
  factor
from compared_of('engagement_kinds', 'half', $minimum_posts::bigint)
where is_finding
  and (select count(*) from engagement_groups where dimension = 'weekly' and rated_posts > 0) >= 8;
