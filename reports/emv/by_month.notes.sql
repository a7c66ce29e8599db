-- grain: at most one row; none if the CPM is the same in all months
-- reads: report_sums
select
  'The CPM differs by month, from {low:money_exact} to {high:money_exact}.' as text,
  min(effective_cpm) as low,
  max(effective_cpm) as high
from report_sums
where is_current and dimension = 'month' and not is_monthly and name <> ''
having len(list_filter(getvariable('_listed_prices'), lambda name: name <> 'impressions')) = 0 and high - low > 0.01 * abs(low);
