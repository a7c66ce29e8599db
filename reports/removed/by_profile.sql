-- grain: one profile of one workspace with removed posts
-- key: workspace, profile_id
-- reads: report_all
-- parameters: none
with groups as (
  select
    workspace,
    profile_id,
    coalesce(any_value(profile), profile_id) as profile,
    count(*) filter (where is_removed) as removed_posts,
    count(*) as posts_total,
    sum(impression_count) filter (where is_removed) as impressions,
    exact_sum(case when is_removed then engagements end) as engagements,
    exact_sum(case when is_removed then emv end) as emv,
    ratio_of_sums(case when is_removed then emv end, impression_count) * 1000 as effective_cpm
  from report_all
  group by workspace, profile_id
),
total as (
  select exact_sum(emv) as emv
  from report_all
)
select
  groups.profile,
  groups.workspace,
  groups.removed_posts,
  groups.posts_total,
  groups.impressions,
  groups.engagements,
  groups.emv,
  groups.effective_cpm,
  groups.emv / nullif(total.emv, 0) as emv_share,
  groups.profile_id
from groups
cross join total
where groups.removed_posts > 0
order by
  groups.emv desc nulls last,
  groups.removed_posts desc,
  groups.profile,
  groups.workspace,
  groups.profile_id;
