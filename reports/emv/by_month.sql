-- grain: one month from the first to the last with posts, those without too; posts without a time are under an empty month
-- key: month
-- reads: emv_sums, emv_totals, report_months
-- parameters: none
with months_with_posts as (
  select *
  from emv_sums
  where is_current and dimension = 'all' and is_monthly
),
all_months as (
  select month
  from report_months
  union
  select month
  from months_with_posts
),
months as (
  select months_with_posts.* replace (all_months.month as month)
  from all_months
  left join months_with_posts on months_with_posts.month is not distinct from all_months.month
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
  months.month,
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
left join previous on previous.month = months.month
cross join total
order by months.month nulls last;
