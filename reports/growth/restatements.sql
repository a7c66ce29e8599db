-- grain: one metric that LinkedIn revised down, or up after day 30
-- key: metric
-- reads: growth_restated
-- parameters: $since
--
-- EMV is money and has columns of its own, beside those of counts. Sums of counts are the same in any
-- order; engagements and EMV are doubles.
with changes as (
  select *
  from growth_restated
  where captured_on >= coalesce($since::date, date '-infinity')
),
counts as (
  select
    metric,
    any_value(title) as title,
    count(distinct post_number) filter (where is_decrease) as posts_fell,
    finite(sum(change) filter (where is_decrease)) as fell,
    count(distinct post_number) filter (where not is_decrease) as posts_grew_late,
    finite(sum(change) filter (where not is_decrease)) as grew_late,
    max(captured_on) as last_on
  from changes
  where metric not in ('engagements', 'emv')
  group by metric
),
doubles as (
  select
    metric,
    any_value(title) as title,
    count(distinct post_number) filter (where is_decrease) as posts_fell,
    exact_sum(case when is_decrease then change end) as fell,
    count(distinct post_number) filter (where not is_decrease) as posts_grew_late,
    exact_sum(case when not is_decrease then change end) as grew_late,
    max(captured_on) as last_on
  from changes
  where metric in ('engagements', 'emv')
  group by metric
),
figures as (
  from counts
  union all
  from doubles
)
select
  title as metric,
  posts_fell,
  case when figures.metric <> 'emv' then fell end as fell,
  case when figures.metric = 'emv' then fell end as emv_fell,
  posts_grew_late,
  case when figures.metric <> 'emv' then grew_late end as grew_late,
  case when figures.metric = 'emv' then grew_late end as emv_grew_late,
  case when figures.metric <> 'emv' then coalesce(fell, 0) + coalesce(grew_late, 0) end as change,
  case when figures.metric = 'emv' then coalesce(fell, 0) + coalesce(grew_late, 0) end as emv_change,
  last_on
from figures
order by
  posts_fell desc,
  posts_grew_late desc,
  title;
