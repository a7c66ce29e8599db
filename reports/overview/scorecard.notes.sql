-- grain: one sentence of a list
-- reads: overview_figures, overview_scorecard, report_posts, report_settings
select '{figure:phrase}: no post has this figure.' as text, label as figure
from overview_figures
anti join overview_scorecard using (figure)
where exists (from report_posts)
union all by name
select 'The average is of the 12 months before, per period of this length.' as text
from overview_scorecard
having count(average_12_months) > 0
  -- a year has no column of it, since the year before is all that it would say
  and bool_or(coalesce(abs(average_12_months - previous) > 1e-9 * abs(previous), (previous is null) <> (average_12_months is null)))
union all by name
select 'The 12 months before were not read whole, so there is no average of them.' as text
from report_settings
where period_from is not null and not is_year_read;
