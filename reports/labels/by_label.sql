-- grain: one name of a label; (none) are the posts without one. A post counts once under each of its names
-- key: label
-- reads: label_lifts, label_sums, label_totals, report_months
-- parameters: $minimum_posts
--
-- Posts with a label are compared with the others of their kind of profile where both are enough.
with sums as (
  select * exclude (month)
  from label_sums
  where is_current and dimension = 'label' and not is_monthly
),
monthly as (
  select label, month, emv
  from label_sums
  where is_current and dimension = 'label' and is_monthly
),
trends as (
  select
    sums.label,
    case when count(*) >= 2 and count(monthly.emv) > 0 then list(monthly.emv order by report_months.month) end
      as trend
  from sums
  cross join report_months
  left join monthly on monthly.label = sums.label and monthly.month = report_months.month
  group by sums.label
),
judged as (
  select
    sums.label,
    sums.rated_posts,
    coalesce(rated_posts_without, 0) as rated_posts_without,
    coalesce(posts_with_emv_without, 0) as posts_with_emv_without,
    coalesce(posts_with_impressions_without, 0) as posts_with_impressions_without,
    rate_without,
    emv_per_post_without,
    impressions_per_post_without,
    least(sums.rated_posts, rated_posts_without) >= $minimum_posts::bigint and rate_without is not null as is_rated,
    least(posts_with_emv, posts_with_emv_without) >= $minimum_posts::bigint as is_priced
  from sums
  left join label_lifts using (label)
),
total as (
  select *
  from label_totals
  where is_current and dimension = 'all'
),
previous as (
  select label, impressions, emv
  from label_sums
  where not is_current and dimension = 'label' and not is_monthly
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
  sums.emv / nullif(total.emv, 0) as emv_share,
  sums.emv_per_post,
  case when is_priced then emv_per_post_without end as emv_per_post_without,
  case when is_priced then finite(sums.emv_per_post / nullif(emv_per_post_without, 0)) end as emv_factor,
  sums.median_emv,
  previous.emv as previous_emv,
  finite(case when previous.emv > 0 then sums.emv / previous.emv - 1 end) as emv_change,
  sums.posts_with_emv,
  judged.posts_with_emv_without,
  judged.posts_with_impressions_without,
  sums.rated_posts,
  judged.rated_posts_without,
  sums.posts_with_impressions,
  sums.median_impressions,
  previous.impressions as previous_impressions,
  case
    when least(sums.posts_with_impressions, posts_with_impressions_without) >= $minimum_posts::bigint
      then impressions_per_post_without
  end as impressions_per_post_without,
  trends.trend
from sums
join judged using (label)
cross join total
left join previous using (label)
left join trends using (label)
order by sums.label = '(none)', sums.emv desc nulls last, sums.posts desc, sums.label;
