-- grain: one name of a label; (none) are the posts without one. A post counts once under each of its names
-- key: label
-- reads: report_posts
-- parameters: none
with labelled as (
  select
    unnest(case when len(labels) = 0 then ['(none)'] else labels end) as label,
    impression_count,
    engagements,
    interactions,
    like_count,
    comment_count,
    share_count,
    click_count,
    save_count,
    send_count
  from report_posts
),
groups as (
  select
    label,
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
    exact_sum(engagements) as rated_engagements,
    sum(impression_count) filter (where engagements is not null) as rated_impressions,
    count(engagements) as rated_posts
  from labelled
  group by label
),
total as (
  select
    exact_sum(engagements) as rated_engagements,
    sum(impression_count) filter (where engagements is not null) as rated_impressions,
    count(engagements) as rated_posts
  from report_posts
),
-- the same posts without those of the label; few posts on either side carry no comparison
compared as (
  select
    groups.*,
    case
      when groups.rated_posts >= 10 and total.rated_posts - groups.rated_posts >= 10
        then (total.rated_engagements - coalesce(groups.rated_engagements, 0))
          / nullif(total.rated_impressions - groups.rated_impressions, 0)
    end as rate_without
  from groups
  cross join total
)
select
  label,
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
  rate_without,
  engagement_rate - rate_without as lift,
  engagement_rate / nullif(rate_without, 0) as lift_factor
from compared
order by label = '(none)', engagement_rate desc nulls last, posts desc, label;
