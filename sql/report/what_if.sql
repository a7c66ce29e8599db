-- grain: one metric that is priced, in a period
-- key: is_current, metric
-- reads: metrics, report_parts, report_posts, report_previous, report_settings
--
-- The prices that the workbook offers to change, and what both periods have of these metrics. A CPM is also that of the
-- impressions to which the service gave an EMV. The comparison period has rows only beside the prices of a list.
with prices as (
  select part as metric, metrics.title, parts.position, parts.per, coalesce(cpm, parts.price) as price
  from report_parts as parts
  join metrics on metrics.price = part
  where is_current and coalesce(cpm, parts.price) is not null
),
periods as (
  select true as is_current, exact_sum(emv) as emv
  from report_posts
  union all
  select false, exact_sum(emv)
  from report_previous
  having count(emv) > 0 and len(getvariable('_listed_prices')) > 0 and (select is_comparable from report_settings)
)
select is_current, prices.*, counted::double as counted, periods.emv
from prices
cross join periods
left join (select is_current, part as metric, counted from report_parts) as parts using (is_current, metric)
order by is_current desc, position;
