-- grain: one month of removal
-- key: removed_month
-- reads: removed_sums
-- parameters: none
select
  removed_month,
  removed_posts,
  impressions,
  engagements,
  emv,
  effective_cpm,
  emv_share
from removed_sums
where level = 'month'
order by removed_month;
