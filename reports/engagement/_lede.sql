-- grain: at most one row: what the page says first
-- key: none
-- reads: report_posts, report_previous, report_settings
-- parameters: none
with figures as (
  select
    ratio_of_sums(engagements, impression_count) as rate,
    exact_sum(engagements) as engagements,
    count(engagements) as posts
  from report_posts
),
previous as (
  select ratio_of_sums(engagements, impression_count) as rate
  from report_previous
),
compared as (
  select
    figures.*,
    figures.rate - previous.rate as change,
    case period_months when 1 then 'the month' when 12 then 'the year' else 'the period' end as unit
  from figures
  cross join previous
  cross join report_settings
  where figures.rate > 0
)
select
  '**{rate:rate}** of impressions led to an engagement'
    || case
      when change is null then ''
      when abs(change) < 0.0005 then ', as in ' || unit || ' before'
      else ', {change:pp} against ' || unit || ' before'
    end
    || case
      when posts = 1 then '. That is {engagements:count} engagements with one post.'
      else '. That is {engagements:count} engagements with {posts:count} posts.'
    end as text,
  rate,
  change,
  engagements,
  posts
from compared;
