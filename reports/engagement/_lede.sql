-- grain: at most one row: the first sentence of the page; none without a post
-- reads: report_groups, report_settings, report_targets
with figures as (
  select report_groups.*, coalesce(rate_change, alike.change) as change
  from report_groups
  left join (from like_for_like_of('report_sums', 'all') where figure = 'engagement_rate') as alike on true
  where dimension = 'all'
),
findings as (
  select 1 as place, *
  from finding_of('report_compared_by_engagement_rate', 'type', 'engagement_rate')
  union all
  select 2, *
  from finding_of('report_compared_by_engagement_rate', 'label', 'engagement_rate')
  order by place
  limit 1
)
select
  case
    when engagement_rate is null and posts_with_impressions = 0 and interactions is not null
      then '{all_posts|Your post has no impressions, so its engagement rate is|None of your # posts has impressions, so engagement rates are} unknown; {all_posts|it|they} brought **{interactions:count}** {interactions|interaction|interactions}.'
    when engagement_rate is null
      then 'The engagement rate is unknown: no post has both engagement and impressions.'
    when engagement_rate between 0 and 1 then '**{rate:rate}** of impressions led to an engagement{compared:phrase}{goal:phrase}. {leader:phrase}.'
    else 'The engagement rate is **{rate:rate}**{compared:phrase}{goal:phrase}. {leader:phrase}.'
  end as text,
  figures.posts as all_posts,
  interactions,
  case
    when abs(change) < 0.0005 then ', as in {comparison:phrase}{among:phrase}'
    -- of the profiles that were read in both periods the change alone is known
    when previous_rate is null then ', {change:pp} compared with {comparison:phrase}{among:phrase}'
    when change > 0 then ', up from {before:rate} in {comparison:phrase}'
    else ', down from {before:rate} in {comparison:phrase}'
  end as compared,
  previous_rate as before,
  comparison,
  among,
  profiles_comparable,
  coalesce(
    findings.text,
    'That is {engagements:count} {engagements|engagement|engagements} from {posts:count} {posts|post|posts}'
  ) as leader,
  findings.* exclude (place, text),
  goal_of('engagement_rate', target, elapsed) as goal,
  target,
  engagement_rate as rate,
  change,
  engagements,
  rated_posts as posts
from figures
cross join report_settings
left join (from report_targets where figure = 'engagement_rate') as targets on true
left join findings on true;
