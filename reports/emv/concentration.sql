-- grain: one stretch of the posts' ranks by EMV
-- key: ranks
-- reads: emv_impression_ranks, emv_stretches, emv_totals
--
-- ranked_impressions are the impressions of the same ranks by impressions, which equal the ranks by EMV if one CPM
-- applies to all posts. They are null if these ranks make other ranges, or are not parts of a whole.
with sums as (
  select
    position,
    ranks,
    count(*) as posts,
    exact_sum(emv) as emv,
    any_value(are_parts) as are_parts
  from emv_stretches
  group by position, ranks
),
by_impressions as (
  select
    case when rank = 1 then 1 when rank <= 10 then 2 when rank <= 50 then 3 else 4 end as position,
    count(*) as posts,
    sum(impression_count) as impressions,
    any_value(are_parts) as are_parts
  from emv_impression_ranks
  group by position
),
alike as (
  select
    bool_and(
      coalesce((by_impressions.posts = sums.posts or position = 4) and by_impressions.are_parts, false)
    ) as are_alike
  from sums
  full join by_impressions using (position)
)
select
  sums.ranks,
  sums.posts,
  sums.emv,
  case when sums.are_parts then sums.emv / nullif(emv_totals.emv, 0) end as emv_share,
  case
    when sums.are_parts
      then fsum(sums.emv) over so_far / nullif(emv_totals.emv, 0)
  end as cumulative_share,
  fsum(sums.emv) over so_far as cumulative_emv,
  case when are_alike then by_impressions.posts end as ranked_posts,
  case when are_alike then by_impressions.impressions end as ranked_impressions,
  case when are_alike then (sum(by_impressions.impressions) over so_far)::bigint end as cumulative_impressions
from sums
left join by_impressions using (position)
cross join alike
cross join emv_totals
where emv_totals.is_current
window so_far as (order by position rows unbounded preceding)
order by position;
