-- grain: one month from the first to the last with a removal, including those without
-- key: removed_month
-- reads: removed_sums, removed_total
with months as (
  select unnest(months) as removed_month
  from removed_total
),
months_with_removals as (
  select *
  from removed_sums
  where level = 'month'
)
select
  removed_month,
  coalesce(removed_posts, 0) as removed_posts,
  impressions,
  engagements,
  emv,
  effective_cpm,
  emv_share
from months
left join months_with_removals using (removed_month)
order by removed_month;
