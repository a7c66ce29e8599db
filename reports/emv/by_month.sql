-- grain: one month of publication with posts; posts without a time are under an empty month
-- key: month
-- reads: report_posts, report_previous, report_settings
-- parameters: none
with months as (
  select
    published_month as month,
    count(*) as posts,
    sum(impression_count) as impressions,
    exact_sum(emv) as emv,
    ratio_of_sums(emv, impression_count) * 1000 as effective_cpm
  from report_posts
  group by published_month
),
total as (
  select exact_sum(emv) as emv
  from report_posts
),
-- set beside the month so much later; only whole months can be
previous as (
  select
    (published_month + to_months(any_value(period_months)))::date as month,
    exact_sum(emv) as emv
  from report_previous
  cross join report_settings
  where period_months is not null
  group by published_month
)
select
  months.month,
  months.posts,
  months.impressions,
  months.emv,
  months.effective_cpm,
  months.emv / nullif(total.emv, 0) as emv_share,
  previous.emv as previous_emv
from months
cross join total
left join previous using (month)
order by months.month nulls last;
