-- grain: at most one row; none if no type earns more within pages and within members
-- parameters: $minimum_posts
select
  '{type:phrase} posts earned {ratio:money} each, {factor:decimal} times as much as other posts{among:phrase}' as text,
  name as type,
  among,
  factor,
  ratio
from compared_of('emv_kinds', 'type', $minimum_posts::bigint)
where is_finding
order by factor desc, name
limit 1;
