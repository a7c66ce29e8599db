-- grain: one sentence of the first of the page: the figure that it leads with, and what of it still grows; none without a post
-- reads: overview_scorecard, report_figures, report_packed, report_posts, standing_of
with led as (
  select name as figure, scope, dividend, divisor
  from report_figures
  where name = getvariable('_leading')
),
counted as (
  select
    any_value(figure) as figure,
    count(*) filter (where scope = 'posts' or type = 'Video') as whole,
    count(finite(amount_of(dividend, post) / case when divisor is null then 1 else amount_of(divisor, post) end)) as part
  from report_packed
  cross join led
  where is_current
)
select
  1 as line,
  case
    when value is null then '{whole|One post was|# posts were} published.'
    when figure = 'emv' and value <= 0 then 'The EMV of {whole|your post|your # posts} is **{value:money}**{average_text:phrase}.'
    when figure = 'emv' then '{subject:phrase} {part|earned|earned} **{value:money}** of media value{compared:phrase}{average_text:phrase}{goal:phrase}.'
    when figure = 'impressions'
      then '{subject:phrase} {part|got|got} **{value:count}** {value|impression|impressions}{compared:phrase}{average_text:phrase}{goal:phrase}.'
    when figure = 'engagement_rate' then 'The engagement rate is **{value:rate}**{compared:phrase}{average_text:phrase}{goal:phrase}.'
    when figure = 'interactions'
      then '{subject:phrase} {part|brought|brought} **{value:count}** {value|interaction|interactions}{compared:phrase}{average_text:phrase}.'
    when figure = 'views' then '{subject:phrase} {part|was|were} viewed **{value:count}** {value|time|times}{compared:phrase}{average_text:phrase}.'
    when figure = 'watch_time_seconds'
      then '{subject:phrase} {part|was|were} watched for **{value:duration}**{compared:phrase}{average_text:phrase}.'
    else '{whole|One post was|# posts were} published{compared:phrase}{average_text:phrase}{goal:phrase}.'
  end as text,
  subject_of(case when figure in ('views', 'watch_time_seconds') then 'videos' else 'posts' end, part, whole) as subject,
  standing.* exclude (compared),
  case when before_posts = 0 then ', with no post before to compare with' else compared end as compared,
  -- the average is said where it is another figure than the one that is compared with
  case
    when abs(average_12_months - previous) > 0.0005 * abs(previous) or (previous is null and average_12_months is not null) then
      case figure
        when 'emv' then ' ({average_12_months:money} on average in the 12 months before)'
        when 'engagement_rate' then ' ({average_12_months:rate} in the 12 months before)'
        when 'watch_time_seconds' then ' ({average_12_months:duration} on average in the 12 months before)'
        else ' ({average_12_months:count} on average in the 12 months before)'
      end
    else ''
  end as average_text,
  average_12_months,
  value,
  part,
  whole
from counted
cross join standing_of('report_sums', getvariable('_leading')) as standing
left join overview_scorecard using (figure)
cross join (select any_value(previous) as before_posts from overview_scorecard where figure = 'posts')
where whole > 0
union all by name
select
  2 as line,
  '{young|One|#} of these posts {young|is|are} under 14 days old and still growing.' as text,
  count(*) filter (where is_young) as young
from report_posts
having count(*) filter (where is_young) > 0
order by line;
