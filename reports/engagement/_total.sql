-- grain: one row: all posts of the report, each once; stands under the tables
-- key: none
-- reads: report_posts, report_previous, report_settings
-- parameters: none
with shown as (
  select
    count(*) as posts,
    sum(impression_count) as impressions,
    exact_sum(engagements) as engagements,
    ratio_of_sums(engagements, impression_count) as engagement_rate,
    sum(interactions) as interactions,
    sum(like_count) as likes,
    sum(comment_count) as comments,
    sum(share_count) as shares,
    sum(click_count) as clicks,
    sum(save_count) as saves,
    sum(send_count) as sends,
    case when count(engagement) >= 10 then quantile_cont(engagement, 0.25) end as rate_p25,
    case when count(engagement) >= 10 then median(engagement) end as rate_p50,
    case when count(engagement) >= 10 then quantile_cont(engagement, 0.75) end as rate_p75
  from report_posts
),
previous as (
  select ratio_of_sums(engagements, impression_count) as previous_rate
  from report_previous
)
select
  posts,
  impressions,
  engagements,
  engagement_rate,
  interactions,
  likes,
  comments,
  shares,
  clicks,
  saves,
  sends,
  rate_p25,
  rate_p50,
  rate_p75,
  case when period_months is not null then previous_rate end as previous_rate
from shown
cross join previous
cross join report_settings;
