-- grain: one reason for which posts are missing in some figures
-- key: what
-- reads: engagement_groups, engagement_labels, engagement_slots, report_posts, report_removed, report_settings
-- parameters: $minimum_impressions
with reasons as (
  select
    1 as position,
    'Removed posts' as what,
    count(*) as posts,
    sum(impression_count) as impressions,
    exact_sum(engagements) as engagements,
    'Deleted in the workspace. Excluded from every figure.' as why
  from report_removed
  where (select removed from report_settings) = 'exclude'
  union all
  select
    2,
    'Posts without engagement or impressions',
    count(*),
    sum(impression_count),
    null,
    'Excluded from rates. Their counts are included in totals.'
  from report_posts
  where engagements is null
  union all
  select
    3,
    'Posts with 0 impressions',
    count(*),
    sum(impression_count),
    exact_sum(engagements),
    'No rate of their own. Their counts are included in totals.'
  from report_posts
  where impression_count = 0 and engagements is not null
  union all
  select
    4,
    'Posts without a time of publication',
    count(*),
    sum(impression_count),
    exact_sum(engagements),
    'Excluded from weeks and hours; by month they are under an empty month.'
  from report_posts
  where published_at is null
  union all
  select
    5,
    'Posts with too few impressions',
    count(*),
    sum(impression_count),
    exact_sum(engagements),
    'Not ranked among best and worst: under ' || $minimum_impressions::bigint || ' impressions.'
  from report_posts
  where impression_count < $minimum_impressions::bigint
  union all
  select
    6,
    'Posts in hours with fewer than 5 posts',
    sum(posts),
    sum(impressions),
    null,
    'Hours with fewer than 5 rated posts are not ranked.'
  from engagement_slots
  where rank is null
  union all
  select
    7,
    'Posts of types with fewer than 10 posts',
    sum(posts),
    sum(impressions),
    exact_sum(engagements),
    'Fewer than 10 rated posts: no quartiles, no comparison with other types.'
  from engagement_groups
  where dimension = 'type' and rate_p50 is null
  union all
  select
    8,
    'Posts of labels that are not compared',
    sum(posts),
    sum(impressions),
    exact_sum(engagements),
    'Fewer than 10 rated posts with the label or without it. A post counts under each of its labels.'
  from engagement_groups
  left join engagement_labels on name = label
  where dimension = 'label' and not coalesce(is_compared, false) and label <> '(none)'
  union all
  select
    9,
    'Posts of profiles that are neither page nor member',
    count(*),
    sum(impression_count),
    exact_sum(engagements),
    'Their posts carry neither clicks nor saves and sends. The mix shows them separately.'
  from report_posts
  where kind is null
)
select what, posts::bigint as posts, impressions, engagements, why
from reasons
where posts > 0
order by position;
