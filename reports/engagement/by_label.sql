-- grain: one name of a label; (none) are the posts without one. A post counts once under each of its names
-- key: label
-- reads: engagement_labels
select
  name as label,
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
  rate_without,
  lift,
  lift_factor,
  case
    when is_compared then null
    when rated_posts < 10 then 'not enough posts (' || rated_posts || ')'
    when posts_without < 10 then 'not enough posts without it (' || posts_without || ')'
    else 'no other posts of pages, or of members'
  end as not_compared,
  previous_rate,
  rate_change,
  rated_posts,
  coalesce(posts_without, 0) as rated_posts_without,
  coalesce(is_clear, false) as is_clear
from engagement_by('label') as labels
left join engagement_labels on engagement_labels.label = labels.name
order by name = '(none)', lift desc nulls last, engagement_rate desc nulls last, interactions desc nulls last, posts desc, name;
