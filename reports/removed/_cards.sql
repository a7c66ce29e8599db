-- grain: one card, in the page's order
-- key: label
-- reads: report_removed, removed_sums, removed_total
with months as (
  select unnest(months) as removed_month
  from removed_total
),
by_month as (
  select removed_month, removed_posts, emv, impressions
  from removed_sums
  where level = 'month'
),
trends as (
  select
    list(coalesce(by_month.removed_posts, 0)::double order by removed_month) as posts,
    list(by_month.emv order by removed_month) as emv,
    list(by_month.impressions::double order by removed_month) as impressions
  from months
  left join by_month using (removed_month)
),
people as (
  select count(removed_by) as by_person, count(*) filter (where removed_by is null) as automatic
  from report_removed
),
total as (
  select *
  from removed_sums
  where level = 'all'
),
cards as (
  select 1 as position, 'Removed posts' as label, 'count' as format, removed_posts::double as value,
    trends.posts as trend, 'summary.removed_posts' as cell
  from total, trends
  union all
  select 2, 'By a person', 'count', by_person::double, null, 'summary.removed_by_person'
  from people
  union all
  select 3, 'Automatically', 'count', automatic::double, null, 'summary.removed_automatically'
  from people
  union all
  select 4, 'EMV removed', 'money', total.emv, trends.emv, 'summary.emv'
  from total, trends
  union all
  select 5, 'Share of all EMV', 'share', emv_share, null, 'summary.emv_share'
  from total
  union all
  select 6, 'Impressions', 'count', total.impressions::double, trends.impressions, 'summary.impressions'
  from total, trends
)
select
  label,
  format,
  value,
  -- posts of an earlier period have had longer to be removed
  null::double as previous,
  trend,
  null::varchar as note,
  cell,
  null::varchar as previous_cell
from cards
order by position;
