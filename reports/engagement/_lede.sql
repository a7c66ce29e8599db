-- grain: at most one row: what the page says first; none without a post
-- key: none
-- reads: engagement_groups, engagement_labels, engagement_types, report_settings
-- parameters: none
with compared as (
  select
    shown.engagement_rate as rate,
    shown.engagements,
    shown.rated_posts as posts,
    shown.posts as all_posts,
    shown.engagement_rate - previous.engagement_rate as change,
    case
      when compare = 'year' then 'the year before'
      when period_months = 1 then 'the month before'
      when period_months = 12 then 'the year before'
      else 'the period before'
    end as earlier
  from report_settings
  join engagement_groups as shown on shown.dimension = 'total' and not shown.is_previous
  left join engagement_groups as previous on previous.dimension = 'total' and previous.is_previous
  where shown.posts > 0
),
types as (
  select posts_of_type as type, lift_factor as type_factor
  from engagement_types
  where is_finding
  order by lift_factor desc, posts_of_type
  limit 1
),
labels as (
  select label, lift_factor as label_factor
  from engagement_labels
  where is_finding and label <> '(none)'
  order by lift_factor desc, label
  limit 1
)
select
  case
    when rate is null and all_posts = 1
      then 'No rate is known of the post: it lacks engagement or impressions.'
    when rate is null then 'No rate is known of {all_posts:count} posts: none has both engagement and impressions.'
    else '**{rate:rate}** of impressions led to an engagement'
      || case
        when change is null then ''
        when abs(change) < 0.0005 then ', as in ' || earlier
        else ', {change:pp} against ' || earlier
      end
      || case
        when type is not null and label is not null
          then '. {type:text} engaged {type_factor:decimal} times as well as other posts, posts labelled “{label:text}” {label_factor:decimal} times.'
        when type is not null then '. {type:text} engaged {type_factor:decimal} times as well as other posts.'
        when label is not null
          then '. Posts labelled “{label:text}” engaged {label_factor:decimal} times as well as those without.'
        when round(engagements) = 1 then '. That is 1 engagement with '
        else '. That is {engagements:count} engagements with '
      end
      || case
        when type is not null or label is not null then ''
        when posts = 1 then 'one post.'
        else '{posts:count} posts.'
      end
  end as text,
  rate,
  change,
  engagements,
  posts,
  all_posts,
  type,
  type_factor,
  label,
  label_factor
from compared
left join types on true
left join labels on true;
