-- grain: at most one row; none if neither does better within pages and within members
-- reads: engagement_details
-- parameters: $minimum_posts
select
  case name
    when 'LinkedIn only'
      then 'Posts on LinkedIn alone get {factor:decimal} times the engagement rate of those that went to other channels too{among:phrase}'
    else 'Posts that went to other channels too get {factor:decimal} times the engagement rate of those on LinkedIn alone{among:phrase}'
  end as text,
  factor,
  among
from engagement_details
where dimension = 'channels' and is_finding and least(posts, posts_without) >= $minimum_posts::bigint
order by factor desc
limit 1;
