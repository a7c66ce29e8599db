-- grain: one profile of one workspace
-- key: workspace, profile_id
-- reads: report_posts
-- parameters: none
with groups as (
  select
    workspace,
    profile_id,
    coalesce(any_value(profile), profile_id) as profile,
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
  group by workspace, profile_id
)
select
  profile,
  workspace,
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
  profile_id
from groups
order by engagement_rate desc nulls last, posts desc, profile, workspace, profile_id;
