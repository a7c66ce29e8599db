-- grain: one name of a label; (none) are the posts without one. A post counts once under each of its names
-- key: label
-- reads: engagement_groups, engagement_labels
-- parameters: none
with labels as (
  select name as label, *
  from engagement_groups
  where dimension = 'label' and not is_previous
),
previous as (
  select name as label, engagement_rate as previous_rate
  from engagement_groups
  where dimension = 'label' and is_previous
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
  lift,
  lift_factor,
  case
    when is_compared then null
    when labels.rated_posts < 10 then 'not enough posts (' || labels.rated_posts || ')'
    when posts_without < 10 then 'not enough posts without it (' || posts_without || ')'
    else 'no other posts of pages, or of members'
  end as not_compared,
  previous_rate,
  engagement_rate - previous_rate as rate_change,
  labels.rated_posts,
  coalesce(posts_without, 0) as rated_posts_without
from labels
left join engagement_labels using (label)
left join previous using (label)
order by label = '(none)', lift desc nulls last, engagement_rate desc nulls last, posts desc, label;
