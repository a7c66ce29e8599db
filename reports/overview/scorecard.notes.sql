-- grain: one sentence of a list
-- reads: overview_figures, overview_scorecard, report_posts, report_settings
with absent as (
  select string_agg(label, ', ' order by position) as missing, count(*) as figures
  from overview_figures
  anti join overview_scorecard using (figure)
)
select '{missing:text}: no post has {figures|this figure|these figures}.' as text, missing, figures
from absent
where figures > 0 and exists (from report_posts)
union all by name
select 'The average is of the 12 months before, per period of this length.' as text
from overview_scorecard
having count(average_12_months) > 0
union all by name
select 'The 12 months before were not read whole, so there is no average of them.' as text
from report_settings
where period_from is not null and not is_year_read;
