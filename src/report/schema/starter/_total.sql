-- grain: one row: all posts of the report; stands under the tables, by the names of its columns
-- reads: report_posts
-- parameters: $price
with shown as (
  select
    count(*) as posts,
    count(engagements) as posts_with_worth,
    exact_sum(engagements) as engagements,
    exact_sum(engagements) * $price::double as worth
  from report_posts
)
select
  posts,
  posts_with_worth,
  engagements,
  worth,
  worth / nullif(posts_with_worth, 0) as worth_per_post,
  worth / nullif(worth, 0) as worth_share
from shown;
