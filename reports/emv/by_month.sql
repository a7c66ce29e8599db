-- grain: one month from the first to the last with posts, including those without; posts without a time are under an empty month
-- key: month
select
  month,
  posts,
  impressions,
  emv,
  effective_cpm,
  emv_share,
  emv_per_post,
  median_emv,
  previous_emv,
  emv_change,
  young_emv,
  posts_with_emv,
  previous_impressions,
  emv_target,
  interactions
from months_of('emv_sums')
order by month nulls last;
