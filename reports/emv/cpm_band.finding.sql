-- grain: at most one row; none without a band, or if both ends print the same
-- reads: report_facts
select
  'The same impressions would cost {low:money} to {high:money}, depending on the CPM' as text,
  priced_impressions * cpm_low / 1000 as low,
  priced_impressions * cpm_high / 1000 as high
from report_facts
where priced_impressions > 0 and (high >= low + 1 or (high < 10 and high >= low + 0.01));
