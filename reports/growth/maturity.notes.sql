-- grain: at most one row
-- reads: growth_shares, report_facts
-- parameters: $final_day, $minimum_posts
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
from report_facts
cross join (select count(distinct post_number) as posts_both from growth_shares)
where posts > 0;
