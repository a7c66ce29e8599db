-- grain: one card, in the page's order
-- key: label
-- reads: report_removed, report_all
-- parameters: none
with removed as (
  select
    count(*) as posts,
    sum(impression_count) as impressions,
    exact_sum(emv) as emv,
    count(removed_by) as by_person,
    count(*) filter (where removed_by is null) as automatic
  from report_removed
),
total as (
  select exact_sum(emv) as emv
  from report_all
),
cards as (
  select 1 as position, 'Removed posts' as label, 'count' as format, posts::double as value
  from removed
  union all
  select 2, 'By a person', 'count', by_person::double
  from removed
  union all
  select 3, 'Automatically', 'count', automatic::double
  from removed
  union all
  select 4, 'EMV removed', 'money', emv
  from removed
  union all
  select 5, 'Of all EMV', 'share', removed.emv / nullif(total.emv, 0)
  from removed
  cross join total
  union all
  select 6, 'Impressions', 'count', impressions::double
  from removed
)
select
  label,
  format,
  value,
  -- removals go on: posts of an earlier period have had longer to be removed
  null::double as previous,
  null::double[] as trend,
  null::varchar as note
from cards
order by position;
