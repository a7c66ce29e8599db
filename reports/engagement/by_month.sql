-- grain: one month of publication with posts; posts without a time are under an empty month
-- key: month
-- reads: report_posts, report_previous, report_settings
-- parameters: none
with months as (
  select
    published_month as month,
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
    sum(send_count) as sends
  from report_posts
  group by published_month
),
-- set beside the month so much later; only whole months can be
previous as (
  select
    (published_month + to_months(any_value(period_months)))::date as month,
    ratio_of_sums(engagements, impression_count) as previous_rate
  from report_previous
  cross join report_settings
  where period_months is not null
  group by published_month
)
select
  month,
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
  previous_rate
from months
left join previous using (month)
order by month nulls last;
