-- grain: at most one row; none without three months of enough posts, or if none does better within pages and within members
-- parameters: $minimum_posts
select
  'Posts of {month:month} got {factor:decimal} times the engagement rate of the other months{among:phrase}' as text,
  among,
  name::date as month,
  factor
from compared('month', 'rate', $minimum_posts::bigint)
qualify is_finding and count(*) filter (where is_compared) over () >= 3
order by factor desc, name
limit 1;
