-- grain: one row: all that was added in single days, the total of the days
-- reads: growth_posts, growth_days
with posts as (
  select
    count(*) filter (where has_single_days) as posts,
    count(*) filter (where has_gaps) as posts_over_days
  from growth_posts
),
single as (
  select sum(impressions) as impressions, exact_sum(engagements) as engagements, exact_sum(emv) as emv, sum(views) as views
  from growth_days
  where is_single
),
longer as (
  select
    max(longest_days) as longest_days,
    sum(impressions) as impressions_over_days,
    exact_sum(engagements) as engagements_over_days,
    exact_sum(emv) as emv_over_days,
    sum(views) as views_over_days
  from growth_days
  where not is_single
)
from posts
cross join single
cross join longer;
