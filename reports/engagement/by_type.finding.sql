-- grain: at most one row; none without two types of enough posts
-- key: none
-- reads: engagement_posts
-- parameters: $minimum_posts
with types as (
  select
    type,
    case when type ilike '%post' then type || 's' else type || ' posts' end as posts,
    median(engagement) as rate
  from engagement_posts
  where not is_previous and rate is not null
  group by type
  having count(*) >= $minimum_posts::bigint
),
ends as (
  select
    arg_max(posts, (rate, type)) as highest,
    max(rate) as highest_rate,
    arg_min(posts, (rate, type)) as lowest,
    min(rate) as lowest_rate
  from types
)
select
  '{highest:text} hold the highest median, {highest_rate:rate}; {lowest:text} the lowest, {lowest_rate:rate}'
    as text,
  highest,
  highest_rate,
  lowest,
  lowest_rate
from ends
where highest_rate > lowest_rate;
