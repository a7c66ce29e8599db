-- grain: at most one row: the first sentence of the page; none without a post
-- reads: report_groups, report_settings
with figures as (
  select report_groups.*, coalesce(rate_change, alike.change) as change
  from report_groups
  left join (from like_for_like_of('report_sums', 'all') where figure = 'engagement_rate') as alike on true
  where dimension = 'all'
),
types as (
  select posts_of_type as type, factor as type_factor, over, compared_months, compared_to, compared_posts
  from finding_of('report_compared_by_engagement_rate', 'type', 'engagement_rate')
),
labels as (
  select name as label, factor as label_factor, over, compared_months, compared_to, compared_posts
  from finding_of('report_compared_by_engagement_rate', 'label', 'engagement_rate')
)
select
  case
    when engagement_rate is null and posts_with_impressions = 0 and interactions is not null
      then '{subject:phrase}; {all_posts|it|they} brought **{interactions:count}** {interactions|interaction|interactions}.'
    when engagement_rate is null
      then 'The engagement rate is unknown: no post has both engagement and impressions.'
    else '**{rate:rate}** of impressions led to an engagement{compared:phrase}. {leader:phrase}'
  end as text,
  case figures.posts
    when 1 then 'Your post has no impressions, so its engagement rate is unknown'
    else 'None of your {all_posts:count} posts has impressions, so engagement rates are unknown'
  end as subject,
  figures.posts as all_posts,
  interactions,
  case
    when change is null then ''
    when abs(change) < 0.0005 then ', as in {comparison:phrase}{among:phrase}'
    else ', {change:pp} compared with {comparison:phrase}{among:phrase}'
  end as compared,
  comparison,
  among,
  profiles_comparable,
  case
    when type is not null and label is not null
      then '{type:phrase} got {type_factor:decimal} times the engagement rate of other posts, posts labelled “{label:text}” {label_factor:decimal} times{over:phrase}.'
    when type is not null then '{type:phrase} got {type_factor:decimal} times the engagement rate of other posts{over:phrase}.'
    when label is not null
      then 'Posts labelled “{label:text}” got {label_factor:decimal} times the engagement rate of those without{over:phrase}.'
    else 'That is {engagements:count} {engagements|engagement|engagements} from {posts:count} {posts|post|posts}.'
  end as leader,
  engagement_rate as rate,
  change,
  engagements,
  rated_posts as posts,
  type,
  type_factor,
  label,
  label_factor,
  coalesce(nullif(types.over, ''), labels.over) as over,
  coalesce(types.compared_months, labels.compared_months) as compared_months,
  coalesce(types.compared_to, labels.compared_to) as compared_to,
  coalesce(case when types.over <> '' then types.compared_posts end, labels.compared_posts) as compared_posts
from figures
cross join report_settings
left join types on true
left join labels on true;
