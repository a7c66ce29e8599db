-- grain: what EMV is made of: a priced metric, or what the service gave
-- key: part
-- reads: metrics, report_posts
with amounts as (
  unpivot (
    select
      workspace,
      linkedin_post_id,
      case when emv_source = 'api' then emv end as api,
      columns('^emv_([a-z]+s)$') as '\1'
    from report_posts
  )
  on columns(* exclude (workspace, linkedin_post_id)) into name part value amount
),
counts as (
  unpivot (select workspace, linkedin_post_id, columns('_count$')::double as '\0' from report_posts)
  on columns(* exclude (workspace, linkedin_post_id)) into name metric value count
),
parts as (
  select
    part,
    coalesce(any_value(position), 1000) as position,
    any_value(per) as per,
    case when part = 'api' then count(*) else exact_sum(count) end::hugeint as count,
    exact_sum(amount) as emv
  from amounts
  left join metrics on price = part
  left join counts using (workspace, linkedin_post_id, metric)
  group by part
)
select
  part,
  count,
  emv * coalesce(per, 1) / nullif(count, 0) as price,
  emv,
  emv / nullif((select exact_sum(emv) from report_posts), 0) as emv_share
from parts
order by position;
