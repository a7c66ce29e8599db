-- grain: at most one row; none if no campaign does better within pages and within members
-- parameters: $minimum_posts
select
  'Posts of {campaign:text} get {factor:decimal} times the engagement rate of other posts (n = {posts:count}){among:phrase}' as text,
  among,
  name as campaign,
  factor,
  posts
from compared_of('engagement_kinds', 'campaign', $minimum_posts::bigint)
where is_finding and name <> '(none)'
order by factor desc, name
limit 1;
