-- grain: one stretch of the posts' ranks by EMV
-- key: ranks
-- reads: emv_stretches, report_facts
with sums as (
  select
    position,
    ranks,
    count(*) as posts,
    exact_sum(emv) as emv,
    any_value(are_parts) as are_parts
  from emv_stretches
  group by position, ranks
)
select
  sums.ranks,
  sums.posts,
  sums.emv,
  case when sums.are_parts then sums.emv / nullif(report_facts.emv, 0) end as emv_share,
  case
    when sums.are_parts
      then fsum(sums.emv) over so_far / nullif(report_facts.emv, 0)
  end as cumulative_share,
  fsum(sums.emv) over so_far as cumulative_emv
from sums
cross join report_facts
window so_far as (order by position rows unbounded preceding)
order by position;
