-- grain: one figure that has a target; macros give that of a month or a quarter, null for a week, and a phrase
-- key: figure
-- reads: report_settings, report_targets
-- parameters: $target_emv, $target_engagement_rate, $target_posts, $target_impressions, $so_far_months
--
-- monthly: the target of one month. target: that of the period, which is that of the whole months of which the period is
-- the part so far; null if the period is not made of months, or begins later for a profile. elapsed: the part of these months that is over, by days.
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
    latest_beginning,
    coalesce($so_far_months::integer, period_months) as months,
    (period_from + to_months(months))::date as next_day,
    (least(today, next_day) - period_from) / (next_day - period_from) as elapsed
  from report_settings
)
select
  figure,
  monthly,
  case when latest_beginning is not null then null when figure = 'engagement_rate' then monthly else monthly * months end as target,
  elapsed
from given
cross join months;

-- A phrase that says how near a figure is to its target: {reached:share}, or how near it should be.
create or replace temp macro goal_of(figure, target, elapsed) as
  case
    when target is null then ''
    when figure = 'engagement_rate' then ', against a target of {target:rate}'
    when elapsed < 1 and figure = 'emv' then ', {reached:share} of the target of {target:money} after {elapsed:share} of the days'
    when elapsed < 1 then ', {reached:share} of the target of {target:count} after {elapsed:share} of the days'
    when figure = 'emv' then ', {reached:share} of the target of {target:money}'
    else ', {reached:share} of the target of {target:count}'
  end;

create or replace temp macro target_of(name, grain) as (
  select
    case
      when grain = 'month' or (grain = 'quarter' and name = 'engagement_rate') then monthly
      when grain = 'quarter' then monthly * 3
    end
  from report_targets
  where figure = name
);
