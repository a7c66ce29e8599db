-- grain: one of the 13 months that end with the last one of the period
-- key: month
-- reads: overview_sums, report_settings
--
-- Figures of a month that was not read whole are those of the days that were.
select
  start as month,
  start + interval 1 month > coalesce(period_from, date '-infinity') and start <= coalesce(period_to, today) as is_period,
  case when is_read or posts > 0 then posts end as posts,
  impressions,
  emv,
  engagement_rate,
  interactions,
  views,
  watch_time_seconds,
  is_read
from overview_sums
cross join report_settings
where span = 'month'
order by month;
