-- grain: one metric that LinkedIn took back from, or added to after day 30
-- key: metric
-- reads: growth_restated
-- parameters: $since
--
-- EMV is money and stands in columns of its own, beside those of counts.
with changes as (
  select *
  from growth_restated
  where captured_on >= coalesce($since::date, date '-infinity')
)
select
  any_value(title) as metric,
  count(distinct (workspace, linkedin_post_id)) filter (where is_taken_back) as posts_fell,
  exact_sum(case when is_taken_back and metric <> 'emv' then change end) as fell,
  exact_sum(case when is_taken_back and metric = 'emv' then change end) as emv_fell,
  count(distinct (workspace, linkedin_post_id)) filter (where not is_taken_back) as posts_grew_late,
  exact_sum(case when not is_taken_back and metric <> 'emv' then change end) as grew_late,
  exact_sum(case when not is_taken_back and metric = 'emv' then change end) as emv_grew_late,
  exact_sum(case when metric <> 'emv' then change end) as change,
  exact_sum(case when metric = 'emv' then change end) as emv_change,
  max(captured_on) as last_on
from changes
group by metric
order by
  posts_fell desc,
  posts_grew_late desc,
  metric;
