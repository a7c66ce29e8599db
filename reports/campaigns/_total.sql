-- grain: one row: all posts of campaigns, each once, the total of the tables
-- reads: campaign_totals, report_posts
with whole as (
  select exact_sum(emv) as emv
  from report_posts
)
select
  posts,
  posts_with_emv,
  impressions,
  engagements,
  engagement_rate,
  campaign_totals.emv,
  effective_cpm,
  campaign_totals.emv / nullif(whole.emv, 0) as emv_share,
  emv_per_post,
  videos,
  views,
  watch_time_seconds,
  posts_outside_dates
from campaign_totals
cross join whole
where is_current;
