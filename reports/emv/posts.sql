-- grain: one LinkedIn post
-- key: workspace, linkedin_post_id
-- reads: report_posts
with total as (
  select exact_sum(emv) as emv
  from report_posts
)
select
  columns(post_columns()),
  impression_count as impressions,
  report_posts.emv,
  effective_cpm,
  report_posts.emv / nullif(total.emv, 0) as emv_share,
  emv_source,
  is_young,
  interactions
from report_posts
cross join total
order by
  report_posts.emv desc nulls last,
  impressions desc nulls last,
  interactions desc nulls last,
  published_at nulls last,
  workspace,
  linkedin_post_id;
