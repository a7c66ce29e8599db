-- grain: at most one row
-- reads: report_read_posts, growth_readings, growth_at_age
-- parameters: $final_day, $minimum_posts
with final as (
  select distinct workspace, linkedin_post_id
  from growth_readings
  where abs(age_days - $final_day::integer) <= 1
),
early as (
  select distinct workspace, linkedin_post_id
  from growth_at_age
  where age < $final_day::integer
),
figures as (
  select
    count(*) as posts,
    count(*) filter (
      where (workspace, linkedin_post_id) in (from early) and (workspace, linkedin_post_id) in (from final)
    ) as posts_both
  from report_read_posts
)
select
  case
    when posts_both = 0
      then 'No post was read both early and on day {final_day:count}, so no shares are shown.'
    else '{posts_both:count} of {posts:count} {posts|post|posts} {posts_both|was|were} read both early and on day {final_day:count}. Shares need at least {minimum|# post|# posts}.'
  end as text,
  posts,
  posts_both,
  $final_day::integer as final_day,
  $minimum_posts::bigint as minimum
from figures
where posts > 0;
