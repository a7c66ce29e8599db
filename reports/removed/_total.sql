-- grain: one row: all removed posts of the report, each once; stands under the tables
-- key: none
-- reads: report_removed, report_all
-- parameters: none
with removed as (
  select
    count(*) as removed_posts,
    sum(impression_count) as impressions,
    exact_sum(engagements) as engagements,
    exact_sum(emv) as emv,
    ratio_of_sums(emv, impression_count) * 1000 as effective_cpm,
    min(removed_at) as first_removed_at,
    max(removed_at) as last_removed_at
  from report_removed
),
total as (
  select count(*) as posts_total, exact_sum(emv) as emv
  from report_all
)
select
  removed_posts,
  posts_total,
  impressions,
  engagements,
  removed.emv,
  effective_cpm,
  removed.emv / nullif(total.emv, 0) as emv_share,
  first_removed_at,
  last_removed_at
from removed
cross join total;
