-- grain: one removed LinkedIn post, the latest removal first
-- key: workspace, linkedin_post_id
-- reads: report_removed, report_all
-- parameters: none
with total as (
  select exact_sum(emv) as emv
  from report_all
)
select
  workspace,
  profile,
  linkedin_post_id,
  url,
  title,
  commentary,
  type,
  published_at,
  campaign,
  labels,
  is_removed,
  removed_at,
  removed_by,
  impression_count as impressions,
  engagements,
  engagements / nullif(impression_count, 0) as engagement_rate,
  interactions,
  report_removed.emv,
  effective_cpm,
  report_removed.emv / nullif(total.emv, 0) as emv_share,
  last_seen_at
from report_removed
cross join total
order by
  removed_at desc,
  report_removed.emv desc nulls last,
  impressions desc nulls last,
  workspace,
  linkedin_post_id;
