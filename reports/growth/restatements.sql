-- grain: one metric that LinkedIn revised down, or up after day 30
-- key: metric
-- reads: growth_restated
--
-- EMV is money and has columns of its own, beside those of counts.
with figures as (
  select
    metric = 'emv' as is_money,
    title,
    count(distinct post_number) filter (where is_decrease) as posts_fell,
    exact_sum(case when is_decrease then change end) as fell,
    count(distinct post_number) filter (where not is_decrease) as posts_grew_late,
    exact_sum(case when not is_decrease then change end) as grew_late,
    coalesce(fell, 0) + coalesce(grew_late, 0) as net,
    max(captured_on) as last_on
  from growth_restated
  group by metric, title
)
select
  title as metric,
  posts_fell,
  case when not is_money then fell end as fell,
  case when is_money then fell end as emv_fell,
  posts_grew_late,
  case when not is_money then grew_late end as grew_late,
  case when is_money then grew_late end as emv_grew_late,
  case when not is_money then net end as change,
  case when is_money then net end as emv_change,
  last_on
from figures
order by posts_fell desc, posts_grew_late desc, title;
