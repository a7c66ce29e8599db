-- grain: at most one row; none if fewer than 10 posts gained in the last week
-- reads: growth_known, growth_posts
with newest as (
  select max(last_on) as newest_on
  from growth_posts
),
week as (
  select
    arg_max(impression_count, captured_on) filter (where captured_on >= newest_on - 1)
      - arg_min(
        impression_count,
        abs(captured_on - newest_on + 7) * 10 + (captured_on > newest_on - 7)::integer
      ) filter (where captured_on between newest_on - 8 and newest_on - 6) as impressions
  from growth_known
  cross join newest
  where captured_on >= newest_on - 8
  group by workspace, linkedin_post_id
),
figures as (
  select
    count(*) as posts,
    sum(impressions) as impressions,
    max(impressions) / sum(impressions) as largest_share,
    (select newest_on from newest) as newest_on
  from week
  where impressions > 0
)
select
  case
    when largest_share >= 0.25
      then '{posts|# post|# posts} gained {impressions|# impression|# impressions} in the 7 days to {newest_on:date}, {largest_share:share} of them on one post'
    else '{posts|# post|# posts} gained {impressions|# impression|# impressions} in the 7 days to {newest_on:date}'
  end as text,
  posts,
  impressions::double as impressions,
  largest_share,
  newest_on
from figures
where posts >= 10;
