-- grain: one month of removal
-- key: removed_month
-- reads: report_removed, report_all
-- parameters: none
with months as (
  select
    removed_month,
    count(*) as removed_posts,
    sum(impression_count) as impressions,
    exact_sum(engagements) as engagements,
    exact_sum(emv) as emv,
    ratio_of_sums(emv, impression_count) * 1000 as effective_cpm
  from report_removed
  group by removed_month
),
total as (
  select exact_sum(emv) as emv
  from report_all
)
select
  months.removed_month,
  months.removed_posts,
  months.impressions,
  months.engagements,
  months.emv,
  months.effective_cpm,
  months.emv / nullif(total.emv, 0) as emv_share
from months
cross join total
order by months.removed_month;
