-- grain: one month of publication with posts, or with posts in the month that it is compared with; posts without a time are under an empty month
-- key: month
-- reads: emv_sums, emv_totals
-- parameters: none
with months as (
  select *
  from emv_sums
  where is_current and dimension = 'all' and is_monthly
),
previous as (
  select month, impressions, emv
  from emv_sums
  where not is_current and dimension = 'all' and is_monthly and month is not null
),
total as (
  select emv
  from emv_totals
  where is_current
)
select
  coalesce(months.month, previous.month) as month,
  coalesce(months.posts, 0) as posts,
  months.impressions,
  months.emv,
  months.effective_cpm,
  months.emv / nullif(total.emv, 0) as emv_share,
  months.emv_per_post,
  months.median_emv,
  previous.emv as previous_emv,
  finite(case when previous.emv > 0 then months.emv / previous.emv - 1 end) as emv_change,
  months.young_emv,
  coalesce(months.posts_with_emv, 0) as posts_with_emv,
  coalesce(months.posts_with_impressions, 0) as posts_with_impressions,
  months.median_impressions,
  previous.impressions as previous_impressions,
  months.young_impressions
from months
full join previous on months.month = previous.month
cross join total
order by month nulls last;
