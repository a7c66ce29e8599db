-- grain: one name of a label; (none) are the posts without one. A post counts once under each of its names
-- key: label
-- reads: report_posts
-- parameters: none
with labelled as (
  select
    unnest(case when len(labels) = 0 then ['(none)'] else labels end) as label,
    impression_count,
    emv
  from report_posts
),
groups as (
  select
    label as label,
    count(*) as posts,
    sum(impression_count) as impressions,
    exact_sum(emv) as emv,
    ratio_of_sums(emv, impression_count) * 1000 as effective_cpm,
    exact_sum(emv) / nullif(count(emv), 0) as emv_per_post,
    case when count(emv) >= 10 then median(emv) end as median_emv
  from labelled
  group by all
),
total as (
  select exact_sum(emv) as emv
  from report_posts
)
select
  groups.label,
  groups.posts,
  groups.impressions,
  groups.emv,
  groups.effective_cpm,
  groups.emv / nullif(total.emv, 0) as emv_share,
  groups.emv_per_post,
  groups.median_emv
from groups
cross join total
order by groups.label = '(none)', groups.emv desc nulls last, groups.posts desc, groups.label;
