-- grain: one name of a campaign, with posts in the period or without
-- key: campaign
-- reads: campaign_list, campaign_posts, report_posts
with whole as (
  select exact_sum(emv) as emv
  from report_posts
)
select
  campaign_list.campaign,
  campaign_list.start_date,
  campaign_list.end_date,
  campaign_list.dates_from,
  campaign_list.first_post,
  campaign_list.last_post,
  campaign_list.posts,
  campaign_list.impressions,
  campaign_list.engagements,
  campaign_list.engagement_rate,
  campaign_list.emv,
  campaign_list.emv / nullif(whole.emv, 0) as emv_share,
  campaign_list.emv_per_post,
  campaign_list.effective_cpm,
  campaign_list.videos,
  campaign_list.views,
  campaign_list.watch_time_seconds,
  campaign_list.posts_outside_dates,
  coalesce(nullif(trim(best.title), ''), nullif(trim(left_grapheme(best.commentary, 100)), '')) as best_post,
  best.url as best_post_url,
  best.emv as best_post_emv,
  campaign_list.posts_with_emv,
  campaign_list.trend,
  campaign_list.interactions
from campaign_list
cross join whole
left join campaign_posts as best
  on best.campaign = campaign_list.campaign and best.rank = 1 and best.emv is not null
order by
  campaign_list.emv desc nulls last,
  campaign_list.interactions desc nulls last,
  campaign_list.posts desc,
  campaign_list.campaign;
