-- grain: one figure that has a target; a macro gives that of a month or a quarter, and null for a week
-- key: figure
-- reads: report_settings, report_targets
-- parameters: $target_emv, $target_engagement_rate, $target_posts, $target_impressions, $so_far_months
--
-- monthly: the target of one month. target: that of the period, which is that of the whole months of which the period is
-- the part so far; null if the period is not made of months. elapsed: the part of these months that is over, by days.
create or replace temp table report_targets as
with given as (
  select *
  from (
    values
      ('emv', $target_emv::double),
      ('engagement_rate', $target_engagement_rate::double),
      ('posts', $target_posts::double),
      ('impressions', $target_impressions::double)
  ) as targets (figure, monthly)
  where monthly is not null
),
months as (
  select
    coalesce($so_far_months::integer, period_months) as months,
    (period_from + to_months(months))::date as next_day,
    (least(today, next_day) - period_from) / (next_day - period_from) as elapsed
  from report_settings
)
select figure, monthly, case when figure = 'engagement_rate' then monthly else monthly * months end as target, elapsed
from given
cross join months;

create or replace temp macro target_of(name, grain) as (
  select
    case
      when grain = 'month' or (grain = 'quarter' and name = 'engagement_rate') then monthly
      when grain = 'quarter' then monthly * 3
    end
  from report_targets
  where figure = name
);
