-- grain: one sentence, in the page's order
-- key: text
-- reads: emv_gone, report_posts
with overlapping as (
  select
    nullif(count(*) filter (where len(labels) > 1), 0) as n,
    exact_sum(emv * greatest(len(labels), 1)) / nullif(exact_sum(emv), 0) as shares
  from report_posts
)
select
  1 as position,
  case
    when shares > 1.0005
      then '{n:count} {n|post has|posts have} several labels and {n|counts|count} under each: shares add up to {shares:share}.'
    else '{n:count} {n|post has|posts have} several labels and {n|counts|count} under each.'
  end as text,
  *
from overlapping
union all by name
select 2 as position, * exclude (dimension)
from emv_gone
where dimension = 'label'
order by position;
