-- grain: one price of the posts of the report or of those that it compares them with
-- key: list, first_day, source, metric, price
-- reads: report_price_lists
select
  coalesce(list, '') as list,
  first_day::varchar as first_day,
  source,
  metric,
  position,
  price,
  per,
  dense_rank() over (order by list nulls first, first_day nulls first, source, prices::varchar) as edition
from report_price_lists
order by edition, position;
