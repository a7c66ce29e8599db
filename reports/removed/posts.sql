-- grain: one removed LinkedIn post, the latest removal first
-- key: workspace, linkedin_post_id
-- reads: report_removed, removed_total
select
  columns(post_columns()),
  removed_at,
  removed_by,
  impression_count as impressions,
  engagements,
  engagements / nullif(impression_count, 0) as engagement_rate,
  interactions,
  emv,
  effective_cpm,
  emv / nullif(removed_total.emv_total, 0) as emv_share,
  last_seen_at
from report_removed
cross join removed_total
order by
  removed_at desc,
  emv desc nulls last,
  impressions desc nulls last,
  workspace,
  linkedin_post_id;
