-- grain: one name of a label; (none) are the posts without one. A post counts once under each of its names
-- key: label
-- reads: label_groups, label_lifts
-- parameters: $minimum_posts
--
-- Posts with a label are compared with the others of their kind of profile where both are enough.
with sums as (
  select name as label, *
  from label_groups
  where dimension = 'label'
),
judged as (
  select
    sums.label,
    sums.rated_posts,
    coalesce(rated_posts_without, 0) as rated_posts_without,
    coalesce(posts_with_emv_without, 0) as posts_with_emv_without,
    coalesce(posts_with_impressions_without, 0) as posts_with_impressions_without,
    rate_without,
    coalesce(is_clear, false) as is_clear,
    emv_per_post_without,
    impressions_per_post_without,
    least(sums.rated_posts, rated_posts_without) >= $minimum_posts::bigint and rate_without is not null as is_rated,
    least(posts_with_emv, posts_with_emv_without) >= $minimum_posts::bigint as is_priced
  from sums
  left join label_lifts using (label)
)
select
  sums.label,
  sums.posts,
  sums.impressions,
  sums.engagements,
  sums.engagement_rate,
  case when is_rated then rate_without end as engagement_rate_without,
  case when is_rated then sums.engagement_rate - rate_without end as lift,
  case when is_rated then finite(sums.engagement_rate / nullif(rate_without, 0)) end as factor,
  case
    when is_rated then null
    when judged.rated_posts < $minimum_posts::bigint then 'not enough posts (' || judged.rated_posts || ')'
    when rated_posts_without < $minimum_posts::bigint then 'not enough posts without it (' || rated_posts_without || ')'
    else 'no other posts of pages, or of members'
  end as comparison,
  sums.emv,
  sums.effective_cpm,
  sums.emv_share,
  sums.emv_per_post,
  case when is_priced then emv_per_post_without end as emv_per_post_without,
  case when is_priced then finite(sums.emv_per_post / nullif(emv_per_post_without, 0)) end as emv_factor,
  sums.median_emv,
  sums.previous_emv,
  sums.emv_change,
  sums.posts_with_emv,
  judged.posts_with_emv_without,
  judged.posts_with_impressions_without,
  sums.rated_posts,
  judged.rated_posts_without,
  sums.previous_impressions,
  case
    when least(sums.posts_with_impressions, posts_with_impressions_without) >= $minimum_posts::bigint
      then impressions_per_post_without
  end as impressions_per_post_without,
  sums.trend,
  is_rated and judged.is_clear as is_clear,
  sums.interactions
from sums
join judged using (label)
order by sums.label = '(none)', sums.emv desc nulls last, sums.interactions desc nulls last, sums.posts desc, sums.label;
