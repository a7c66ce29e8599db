-- grain: at most one row; none without enough posts on each of the days 1 to 7
-- key: none
-- reads: growth_increments
-- parameters: $minimum_posts
with ages as (
  select
    age_from as age,
    count(distinct post_number) as posts,
    median(impression_count) as impressions
  from growth_increments
  where age_from between 1 and 7 and impression_count is not null
  group by age_from
  having count(distinct post_number) >= $minimum_posts::bigint
),
figures as (
  select
    count(*) as ages,
    any_value(impressions) filter (where age = 1) as first_day,
    any_value(impressions) filter (where age = 7) as last_day,
    min(posts) as posts
  from ages
)
select
  'The day after publication brings a post {first_day:count} impressions, the seventh {last_day:count} (medians of at least {posts:count} posts)' as text,
  first_day,
  last_day,
  posts
from figures
where ages = 7 and first_day > last_day;
