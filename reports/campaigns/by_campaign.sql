-- grain: one name of a campaign, with posts in the period or missing them
-- key: campaign
-- reads: campaign_list, campaign_posts, campaign_sums, report_months, report_posts
-- parameters: none
with whole as (
  select exact_sum(emv) as emv
  from report_posts
),
ranked as (
  select
    campaign,
    coalesce(nullif(trim(title), ''), nullif(trim(left_grapheme(commentary, 100)), '')) as best_post,
    url as best_post_url,
    emv as best_post_emv,
    row_number() over (
      partition by campaign
      order by emv desc, impression_count desc nulls last, published_at nulls last, workspace, linkedin_post_id
    ) as rank
  from campaign_posts
  where is_current and emv is not null
),
monthly as (
  select campaign, month, emv
  from campaign_sums
  where is_current and dimension = 'campaign' and is_monthly
),
trends as (
  select
    campaign_list.campaign,
    case when count(*) >= 2 and count(monthly.emv) > 0 then list(monthly.emv order by report_months.month) end
      as trend
  from campaign_list
  cross join report_months
  left join monthly on monthly.campaign = campaign_list.campaign and monthly.month = report_months.month
  group by campaign_list.campaign
)
select
  campaign_list.campaign,
  start_date,
  end_date,
  dates_from,
  first_post,
  last_post,
  posts,
  impressions,
  engagements,
  engagement_rate,
  campaign_list.emv,
  campaign_list.emv / nullif(whole.emv, 0) as emv_share,
  emv_per_post,
  effective_cpm,
  videos,
  views,
  watch_time_seconds,
  posts_outside_dates,
  best_post,
  best_post_url,
  best_post_emv,
  posts_with_emv,
  posts_with_impressions,
  trend
from campaign_list
cross join whole
left join ranked on ranked.campaign = campaign_list.campaign and ranked.rank = 1
left join trends on trends.campaign = campaign_list.campaign
order by campaign_list.emv desc nulls last, posts desc, campaign_list.campaign;
