-- grain: one LinkedIn post
-- key: workspace, linkedin_post_id
-- reads: report_posts
select
  columns(post_columns()),
  impression_count as impressions,
  engagements,
  engagements / nullif(impression_count, 0) as engagement_rate,
  interactions,
  like_count as likes,
  comment_count as comments,
  share_count as shares,
  click_count as clicks,
  save_count as saves,
  send_count as sends,
  engagement,
  is_young
from report_posts
order by
  engagements desc nulls last,
  interactions desc nulls last,
  published_at nulls last,
  workspace,
  linkedin_post_id;
