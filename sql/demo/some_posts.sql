-- grain: a workspace post with a LinkedIn post of the period; a small sample, spread at random but the same each time
-- key: post_id
-- reads: post_performance
-- parameters: $from, $to, $count
select distinct post_id
from post_performance
where post_id is not null
  and published_at between $from::date and $to::date
order by md5(post_id)
limit $count::bigint;
