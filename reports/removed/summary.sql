-- grain: one row: all removed posts of the report
-- reads: report_facts
select
  removed_posts,
  posts_total,
  profiles,
  impressions,
  engagements,
  engagement_rate,
  interactions,
  emv,
  effective_cpm,
  emv_share,
  emv_total,
  without_emv as posts_without_emv,
  without_impressions as posts_without_impressions,
  removed_by_person,
  removed_automatically,
  first_removed_at,
  last_removed_at,
  unlinked as unlinked_removals
from report_facts;
