-- grain: one row: all posts of the report, each once; stands under the tables
-- key: none
-- reads: report_posts, report_previous, report_settings
-- parameters: none
with shown as (
  select
    count(*) as posts,
    sum(impression_count) as impressions,
    exact_sum(emv) as emv,
    ratio_of_sums(emv, impression_count) * 1000 as effective_cpm,
    exact_sum(emv) / nullif(count(emv), 0) as emv_per_post,
    case when count(emv) >= 10 then median(emv) end as median_emv
  from report_posts
),
previous as (
  select exact_sum(emv) as previous_emv
  from report_previous
)
select
  posts,
  impressions,
  emv,
  effective_cpm,
  emv / nullif(emv, 0) as emv_share,
  emv_per_post,
  median_emv,
  case when period_months is not null then previous_emv end as previous_emv
from shown
cross join previous
cross join report_settings;
