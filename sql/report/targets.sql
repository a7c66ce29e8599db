-- grain: one figure that has a target; macros give that of a month or a quarter, null for a week, and a phrase
-- key: figure
-- reads: own_figures, report_settings, report_targets
-- parameters: $targets (a JSON object), $so_far_months
--
-- monthly: the target of one month, or a level (is_level), which is the same in all periods. target: that of the period, which is that of the whole months of which the period is
-- the part so far; null if the period is not made of months, or begins later for a profile. elapsed: the part of these months that is over, by days.
create or replace temp table report_targets as
with given as (
  select
    key as figure,
    value::double as monthly,
    kind is not null as is_own,
    key = 'engagement_rate' or coalesce(kind = 'last', false) as is_level
  from json_each($targets::json)
  left join (select distinct figure, kind from own_figures) as own on own.figure = key
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
  is_level,
  case when latest_beginning is not null and not is_own then null when is_level then monthly else monthly * months end as target,
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

-- The same of a card, with the values that it names; goal is the target as a phrase.
create or replace temp macro aim_of(is_level, elapsed) as
  case
    when is_level then 'target {goal:phrase}'
    when elapsed < 1 then 'on the way: {reached:share} of the target of {goal:phrase} after {elapsed:share} of the days'
    else '{reached:share} of the target of {goal:phrase}'
  end;

create or replace temp macro target_of(name, grain) as (
  select
    case
      when grain = 'month' or (grain = 'quarter' and is_level) then monthly
      when grain = 'quarter' then monthly * 3
    end
  from report_targets
  where figure = name
);
