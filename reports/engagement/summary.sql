-- grain: one row: all posts of the report
-- key: none
-- reads: report_posts, report_removed
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
    count(*) filter (where engagements is null) as posts_without_engagement
  from report_posts
),
removed as (
  select
    count(*) as removed_posts,
    sum(impression_count) as removed_impressions,
    exact_sum(engagements) as removed_engagements,
    exact_sum(emv) as removed_emv
  from report_removed
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
  removed_posts,
  posts_without_engagement,
  removed_emv,
  removed_impressions,
  removed_engagements
from shown
cross join removed;
