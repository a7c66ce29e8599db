-- grain: at most one row; none without enough posts that were read on day 1 and on day 7
-- reads: growth_increments
-- parameters: $minimum_posts
with posts as (
  select
    any_value(impression_count) filter (where age_from = 1) as first_day,
    any_value(impression_count) filter (where age_from = 7) as last_day
  from growth_increments
  where age_from in (1, 7) and impression_count is not null
  group by post_number
  having count(*) = 2
)
select
  'A post gains {first_day|# impression|# impressions} on day 1 and {last_day:count} on day 7 (medians, n = {posts:count})' as text,
  median(posts.first_day) as first_day,
  median(posts.last_day) as last_day,
  count(*) as posts
from posts
having count(*) >= $minimum_posts::bigint and median(posts.first_day) > median(posts.last_day);
