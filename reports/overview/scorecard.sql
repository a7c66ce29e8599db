-- grain: one figure that some post has
-- key: figure
-- reads: overview_scorecard
select
  figure,
  label,
  value,
  target,
  pace,
  previous,
  change,
  average_12_months,
  year_before,
  trend,
  change_like_for_like,
  case figure when 'engagement_rate' then 'pp' else 'change' end as change_format,
  format
from overview_scorecard
order by position;
