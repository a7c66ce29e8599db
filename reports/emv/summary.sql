-- grain: one row: all posts of the report
-- reads: emv_ranks, report_facts, report_lacking
with largest as (
  select
    exact_sum(case when rank = 1 then emv end) as top_1,
    exact_sum(case when rank <= 5 then emv end) as top_5,
    exact_sum(case when rank <= 10 then emv end) as top_10
  from emv_ranks
  where are_parts
),
lacking as (
  select columns(lambda name: name = 'is_one' or list_contains(getvariable('_listed_prices'), replace(name, 'posts_without_', '')))
  from (
    select true as is_one, pivoted.*
    from (
      select
        sum(posts) filter (where price = 'impressions') as posts_without_impressions,
        sum(posts) filter (where price = 'likes') as posts_without_likes,
        sum(posts) filter (where price = 'comments') as posts_without_comments,
        sum(posts) filter (where price = 'shares') as posts_without_shares,
        sum(posts) filter (where price = 'clicks') as posts_without_clicks,
        sum(posts) filter (where price = 'saves') as posts_without_saves,
        sum(posts) filter (where price = 'sends') as posts_without_sends,
        sum(posts) filter (where price = 'views') as posts_without_views
      from report_lacking
    ) as pivoted
  )
)
select
  posts,
  impressions,
  emv,
  effective_cpm,
  posts - posts_with_emv as posts_without_emv,
  removed_posts,
  removed_emv,
  priced_impressions * cpm_low / 1000 as emv_low,
  priced_impressions * cpm_high / 1000 as emv_high,
  posts_with_emv,
  emv_per_post,
  median_emv,
  top_1 / nullif(emv, 0) as top_1_share,
  -- with five posts the first five are all
  case when posts_with_emv > 5 then top_5 / nullif(emv, 0) end as top_5_share,
  case when posts_with_emv > 10 then top_10 / nullif(emv, 0) end as top_10_share,
  previous_posts,
  previous_impressions,
  previous_emv,
  previous_effective_cpm,
  previous_emv_per_post,
  previous_median_emv,
  emv_change_like_for_like,
  impressions_change_like_for_like,
  lacking.* exclude (is_one)
from report_facts
cross join largest
cross join lacking;
