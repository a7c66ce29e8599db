-- grain: one of the 13 months that end with the last one of the period
-- key: month
-- reads: overview_sums, report_thirteen_months
--
-- Figures of a month that was not read whole are those of the days that were.
select
  start as month,
  is_period,
  overview_sums.* exclude (span, start, lacking) replace (case when overview_sums.is_read or posts > 0 then posts end as posts)
from overview_sums
join report_thirteen_months on month = start
where span = 'month'
order by month;
