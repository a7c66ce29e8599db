-- grain: at most one row: what the page says first
-- key: none
-- reads: report_posts, report_previous, report_settings
-- parameters: none
with figures as (
  select
    count(*) as posts,
    count(emv) as posts_with_emv,
    exact_sum(emv) as emv,
    max(emv) / nullif(exact_sum(emv), 0) as largest_share
  from report_posts
),
previous as (
  select exact_sum(emv) as emv
  from report_previous
),
compared as (
  select
    figures.*,
    case when previous.emv > 0 then figures.emv / previous.emv - 1 end as change,
    case period_months when 1 then 'the month' when 12 then 'the year' else 'the period' end as unit
  from figures
  cross join previous
  cross join report_settings
  where figures.emv > 0
)
select
  case when posts = 1 then 'Your post earned' else 'Your {posts:count} posts earned' end
    || ' **{emv:money}** of media value'
    || case
      when change is null then '.'
      when abs(change) < 0.0005 then ', as much as in ' || unit || ' before.'
      when change > 0 then ', {distance:share} more than in ' || unit || ' before.'
      else ', {distance:share} less than in ' || unit || ' before.'
    end
    || case
      when posts_with_emv >= 5 and largest_share between 0.1 and 1
        then ' {largest_share:share} of it came from a single post.'
      else ''
    end as text,
  posts,
  emv,
  abs(change) as distance,
  largest_share
from compared;
