-- grain: one month of publication; an empty one for posts without a time
-- key: month
-- reads: report_posts
-- parameters: $price
select
  published_month as month,
  count(*) as posts,
  exact_sum(engagements) as engagements,
  exact_sum(engagements) * $price::double as worth
from report_posts
group by published_month
order by month nulls last;
