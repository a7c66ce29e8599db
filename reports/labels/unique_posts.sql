-- grain: one row: the posts behind the rows by label, each once, beside what adding up the rows would give
-- reads: label_sums, label_totals
with rows as (
  select sum(posts)::bigint as posts, sum(impressions) as impressions, exact_sum(emv) as emv
  from label_sums
  where is_current and dimension = 'label' and not is_monthly
)
select
  label_totals.posts,
  coalesce(rows.posts, 0) as posts_in_rows,
  label_totals.emv,
  rows.emv as emv_in_rows,
  rows.emv / nullif(label_totals.emv, 0) as shares_in_rows,
  label_totals.impressions,
  rows.impressions as impressions_in_rows
from label_totals
cross join rows
where is_current and dimension = 'all';
