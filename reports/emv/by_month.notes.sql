-- grain: one sentence of a list
-- reads: emv_sums, emv_totals, report_grain
with months as (
  select min(effective_cpm) as low, max(effective_cpm) as high
  from emv_sums
  where is_current and dimension = 'all' and is_monthly and month is not null
)
select
  unnest([
    case when high > low * 1.01
      then case grain
        when 'week'
          then 'The CPM differs by week, from {low:money_exact} to {high:money_exact}, so weeks differ in price as well as in impressions.'
        when 'quarter'
          then 'The CPM differs by quarter, from {low:money_exact} to {high:money_exact}, so quarters differ in price as well as in impressions.'
        else 'The CPM differs by month, from {low:money_exact} to {high:money_exact}, so months differ in price as well as in impressions.'
      end
    end,
    '{young_posts:count} {young_posts|post is|posts are} less than 14 days old and still growing ({young_emv:money} so far).'
  ]) as text,
  low,
  high,
  young_posts,
  young_emv
from months
cross join emv_totals
cross join report_grain
where is_current;
