-- grain: at most one row; none without a band, or if it is worth nothing
-- reads: emv_totals, report_settings
select
  'The same impressions would cost {low:money} to {high:money}, depending on the CPM' as text,
  priced_impressions * cpm_low / 1000 as low,
  priced_impressions * cpm_high / 1000 as high
from emv_totals
cross join report_settings
where is_current and priced_impressions > 0 and cpm_low < cpm_high;
