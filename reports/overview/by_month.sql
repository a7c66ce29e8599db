-- grain: one of the 13 months that end with the last one of the period
-- key: month
-- reads: overview_sums, report_thirteen_months
--
-- Figures of a month that was not read whole are those of the days that were. emv_in_period: what of the EMV lies in the
-- period, where that has days of the month.
select
  start as month,
  is_period,
  part_beside(known_part) as part,
  is_part,
  overview_sums.* exclude (span, start, lacking, emv_in_period)
    replace (case when overview_sums.is_read or posts > 0 then posts end as posts),
  emv_in_period
from overview_sums
join report_thirteen_months on month = start
where span = 'month'
order by month;
