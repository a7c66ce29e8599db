-- grain: at most one row: what the page says first; none without a post
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
    case
      when period_months = 12 then ' in the year before.'
      when compare = 'year' then ' in the same days a year before.'
      when period_months = 1 then ' in the month before.'
      else ' in the period before.'
    end as before
  from figures
  cross join previous
  cross join report_settings
  where figures.posts > 0
)
select
  case
    when emv is null
      then case when posts = 1 then 'The EMV of your post is' else 'The EMV of your {posts:count} posts is' end
        || ' not known.'
    when emv <= 0
      then case when posts = 1 then 'The EMV of your post is' else 'The EMV of your {posts:count} posts is' end
        || ' **{emv:money_exact}**.'
    else case when posts = 1 then 'Your post earned' else 'Your {posts:count} posts earned' end
      -- whole euros would make nothing of a few cents
      || case when emv < 10 then ' **{emv:money_exact}**' else ' **{emv:money}**' end
      || ' of media value'
      || case
        when change is null then '.'
        when abs(change) < 0.0005 then ', as much as' || before
        when change > 0 then ', {distance:share} more than' || before
        else ', {distance:share} less than' || before
      end
      || case
        when posts_with_emv >= 5 and largest_share between 0.1 and 1
          then ' {largest_share:share} of it came from a single post.'
        else ''
      end
  end as text,
  posts,
  emv,
  abs(change) as distance,
  largest_share
from compared;
