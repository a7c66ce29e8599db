-- grain: at most one row: a sentence about the first and the last week or quarter, if the period cuts them
-- reads: report_grain, report_settings
with ends as (
  select
    grain,
    first_day(grain, date_trunc('month', period_from)::date, period_from) < period_from as is_first_cut,
    first_day(grain, date_trunc('month', last_day)::date, last_day) + next_by(grain) > last_day + 1 as is_last_cut
  from (select *, least(period_to, today - 1) as last_day from report_settings)
  cross join report_grain
)
select
  case
    when grain = 'week' and is_first_cut and is_last_cut then 'The first and last weeks are partial.'
    when grain = 'week' and is_first_cut then 'The first week is partial.'
    when grain = 'week' and is_last_cut then 'The last week is partial.'
    when is_first_cut and is_last_cut then 'The first and last quarters are partial.'
    when is_first_cut then 'The first quarter is partial.'
    else 'The last quarter is partial.'
  end as text
from ends
where is_first_cut or is_last_cut;
