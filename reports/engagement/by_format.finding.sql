-- grain: at most one row; none if no format does better within pages and within members
-- reads: engagement_details
-- parameters: $minimum_posts
select
  '{format:phrase}: {factor:decimal} times the engagement rate of other posts{among:phrase}' as text,
  name as format,
  factor,
  among
from engagement_details
where dimension = 'format' and is_finding and least(posts, posts_without) >= $minimum_posts::bigint
order by factor desc, format_order(name)
limit 1;
