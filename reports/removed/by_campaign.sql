-- grain: one name of a campaign with removed posts; (none) are the posts without one
-- key: campaign
-- reads: report_all
-- parameters: none
with groups as (
  select
    coalesce(campaign, '(none)') as campaign,
    count(*) filter (where is_removed) as removed_posts,
    count(*) as posts_total,
    sum(impression_count) filter (where is_removed) as impressions,
    exact_sum(case when is_removed then engagements end) as engagements,
    exact_sum(case when is_removed then emv end) as emv,
    ratio_of_sums(case when is_removed then emv end, impression_count) * 1000 as effective_cpm
  from report_all
  group by all
),
total as (
  select exact_sum(emv) as emv
  from report_all
)
select
  groups.campaign,
  groups.removed_posts,
  groups.posts_total,
  groups.impressions,
  groups.engagements,
  groups.emv,
  groups.effective_cpm,
  groups.emv / nullif(total.emv, 0) as emv_share
from groups
cross join total
where groups.removed_posts > 0
order by groups.campaign = '(none)', groups.emv desc nulls last, groups.removed_posts desc, groups.campaign;
