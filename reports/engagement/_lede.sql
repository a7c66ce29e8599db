-- grain: at most one row: the first sentence of the page; none without a post
-- reads: finding_of, leading_total, led_text, report_groups, standing_of
with findings as (
  select 1 as priority, *
  from finding_of('report_compared_by_engagement_rate', 'type', 'engagement_rate')
  union all
  select 2, *
  from finding_of('report_compared_by_engagement_rate', 'label', 'engagement_rate')
  order by priority
  limit 1
)
select
  case
    when engagement_rate is null
      then 'The engagement rate is unknown: no post has both engagement and impressions.{led_text:phrase}'
    when engagement_rate between 0 and 1 then '**{rate:rate}** of impressions led to an engagement{compared:phrase}{goal:phrase}. {leader:phrase}.'
    else 'The engagement rate is **{rate:rate}**{compared:phrase}{goal:phrase}. {leader:phrase}.'
  end as text,
  report_groups.posts as whole,
  led_text() as led_text,
  led,
  standing.*,
  coalesce(
    findings.text,
    'That is {engagements:count} {engagements|engagement|engagements} from {posts:count} {posts|post|posts}'
  ) as leader,
  findings.* exclude (priority, text),
  engagement_rate as rate,
  engagements,
  rated_posts as posts
from report_groups
cross join leading_total('report_sums')
cross join standing_of('report_sums', 'engagement_rate') as standing
left join findings on true
where dimension = 'all';
