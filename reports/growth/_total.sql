-- grain: one row: all that was added in single days, the total of the days
-- reads: growth_posts, growth_days
select
  (select count(*) from growth_posts where has_single_days) as posts,
  (select count(*) from growth_posts where has_gaps) as posts_over_days,
  sum(impressions) filter (where is_single) as impressions,
  exact_sum(case when is_single then engagements end) as engagements,
  exact_sum(case when is_single then emv end) as emv,
  sum(views) filter (where is_single) as views,
  max(longest_days) filter (where not is_single) as longest_days,
  sum(impressions) filter (where not is_single) as impressions_over_days,
  exact_sum(case when not is_single then engagements end) as engagements_over_days,
  exact_sum(case when not is_single then emv end) as emv_over_days,
  sum(views) filter (where not is_single) as views_over_days
from growth_days;
