-- grain: at most one row: the 12 months up to the end of a period of a month or two, if they have earlier posts
-- reads: fitting_grain, report_candidates, report_settings
create or replace temp view report_over_year as
select
  case
    when period_months is null then ', over the {compared_months:count} months to {compared_to:date}'
    else ', over the {compared_months:count} months to {compared_to:month}'
  end as over,
  date_diff('month', compared_from, period_to + 1) as compared_months,
  period_to as compared_to
from report_candidates
cross join report_settings
where is_shown and (is_in_period or published_local::date between compared_from and period_from - 1)
group by period_months, compared_from, period_to
having fitting_grain() = 'week' and count(*) > count(*) filter (where is_in_period);
