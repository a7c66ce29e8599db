-- grain: one month from the first to the last with posts, including those without; posts without a time are under an empty month
-- key: month
select
  month,
  posts,
  impressions,
  engagements,
  engagement_rate,
  interactions,
  likes,
  comments,
  shares,
  clicks,
  saves,
  sends,
  previous_rate,
  rate_change,
  rate_target
from months_of('engagement_sums')
order by month nulls last;
