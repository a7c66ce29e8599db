-- grain: one type, as the API names it
-- key: type
-- reads: report_posts
-- parameters: none
with groups as (
  select
    type as type,
    count(*) as posts,
    sum(impression_count) as impressions,
    exact_sum(emv) as emv,
    ratio_of_sums(emv, impression_count) * 1000 as effective_cpm,
    exact_sum(emv) / nullif(count(emv), 0) as emv_per_post,
    case when count(emv) >= 10 then median(emv) end as median_emv
  from report_posts
  group by all
),
total as (
  select exact_sum(emv) as emv
  from report_posts
)
select
  groups.type,
  groups.posts,
  groups.impressions,
  groups.emv,
  groups.effective_cpm,
  groups.emv / nullif(total.emv, 0) as emv_share,
  groups.emv_per_post,
  groups.median_emv
from groups
cross join total
order by groups.emv desc nulls last, groups.posts desc, groups.type;
