-- grain: one stretch of the posts' ranks by EMV
-- key: ranks
-- reads: emv_ranks, emv_totals
-- parameters: none
with stretches as (
  select
    case when rank = 1 then 1 when rank <= 10 then 2 when rank <= 50 then 3 else 4 end as position,
    rank,
    emv,
    are_parts
  from emv_ranks
),
sums as (
  select
    position,
    min(rank) as first,
    max(rank) as last,
    count(*) as posts,
    exact_sum(emv) as emv,
    any_value(are_parts) as are_parts
  from stretches
  group by position
)
select
  case
    when position = 1 then 'top 1'
    when position = 4 then 'others'
    when first = last then first::varchar
    else first || '–' || last
  end as ranks,
  sums.posts,
  sums.emv,
  case when are_parts then sums.emv / nullif(emv_totals.emv, 0) end as emv_share,
  case
    when are_parts
      then fsum(sums.emv) over (order by position rows unbounded preceding) / nullif(emv_totals.emv, 0)
  end as cumulative_share
from sums
cross join emv_totals
where emv_totals.is_current
order by position;
