-- grain: at most one row: what the page says first; none without a post
-- key: none
-- reads: engagement_groups, engagement_labels, report_settings
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
-- a best needs another that it is better than
types as (
  select
    arg_max(
      case when name ilike '%post' then name || 's' else name || ' posts' end,
      (rate_p50, name)
    ) as type,
    max(rate_p50) as best,
    min(rate_p50) as least
  from engagement_groups
  where dimension = 'type' and not is_previous and rate_p50 is not null
),
labels as (
  select label
  from engagement_labels
  where label <> '(none)' and lift > 0.0005
  order by lift desc, label
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
        when best > least and label is not null
          then '. {type:text} had the best median, “{label:text}” was the best label.'
        when best > least then '. {type:text} had the best median.'
        when label is not null then '. “{label:text}” was the best label.'
        when round(engagements) = 1 then '. That is 1 engagement with '
        else '. That is {engagements:count} engagements with '
      end
      || case
        when best > least or label is not null then ''
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
  label
from compared
cross join types
left join labels on true;
