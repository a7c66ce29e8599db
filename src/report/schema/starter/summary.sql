-- grain: one row: all posts of the report
-- reads: report_posts
-- parameters: $price
select
  count(*) as posts,
  count(*) filter (where engagements is null) as posts_without_engagements,
  exact_sum(engagements) as engagements,
  $price::double as price,
  exact_sum(engagements) * $price::double as worth
from report_posts;
