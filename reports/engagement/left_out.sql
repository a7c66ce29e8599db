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
    'Deleted, so in no figure of this report.' as why
  from report_removed
  where (select removed from report_settings) = 'exclude'
  union all
  select
    2,
    'Posts without engagement or impressions',
    count(*),
    sum(impression_count),
    null,
    'Not in rates: one of the two terms is not known. Their counts are in the totals.'
  from report_posts
  where engagements is null
  union all
  select
    3,
    'Posts with 0 impressions',
    count(*),
    sum(impression_count),
    exact_sum(engagements),
    'No rate of their own: nothing to divide by. Their counts are in the totals.'
  from report_posts
  where impression_count = 0 and engagements is not null
  union all
  select
    4,
    'Posts without a time of publication',
    count(*),
    sum(impression_count),
    exact_sum(engagements),
    'In no week and no hour; by month they stand under an empty month.'
  from report_posts
  where published_at is null
  union all
  select
    5,
    'Posts under the floor of impressions',
    count(*),
    sum(impression_count),
    exact_sum(engagements),
    'Not among the best and worst: under ' || $minimum_impressions::bigint || ' impressions.'
  from report_posts
  where impression_count < $minimum_impressions::bigint
  union all
  select
    6,
    'Posts in hours with fewer than 5 posts',
    sum(posts),
    sum(impressions),
    null,
    'These hours have fewer than 5 posts with a rate and are not ranked.'
  from engagement_slots
  where rank is null
  union all
  select
    7,
    'Posts of types with fewer than 10 posts',
    sum(posts),
    sum(impressions),
    exact_sum(engagements),
    'Fewer than 10 posts with a rate: no quartiles, and not compared with the rest.'
  from engagement_groups
  where dimension = 'type' and not is_previous and rate_p50 is null
  union all
  select
    8,
    'Posts of labels that are not compared',
    sum(posts),
    sum(impressions),
    exact_sum(engagements),
    'Fewer than 10 posts with a rate, with the label or of the others that it is compared with. A post counts under each of its labels.'
  from engagement_groups
  left join engagement_labels on name = label
  where dimension = 'label' and not is_previous and not coalesce(is_compared, false) and label <> '(none)'
  union all
  select
    9,
    'Posts of profiles that are neither page nor member',
    count(*),
    sum(impression_count),
    exact_sum(engagements),
    'Neither clicks nor saves and sends tell which; in the mix they stand apart.'
  from report_posts
  where kind is null
)
select what, posts::bigint as posts, impressions, engagements, why
from reasons
where posts > 0
order by position;
