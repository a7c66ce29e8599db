-- grain: one LinkedIn post
-- key: workspace, linkedin_post_id
-- reads: report_posts
select
  columns(post_columns()),
  impression_count as impressions,
  engagements,
  engagements / nullif(impression_count, 0) as engagement_rate,
  interactions,
  columns(getvariable('_interaction_pattern')) as '\1s',
  engagement,
  is_young
from report_posts
order by
  engagements desc nulls last,
  interactions desc nulls last,
  published_at nulls last,
  workspace,
  linkedin_post_id;
