-- grain: at most one row: the first sentence of the page; none without a post
-- reads: report_posts, report_previous, report_settings
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
    case figures.posts when 1 then 'post' else '{posts:count} posts' end as noun,
    case when previous.emv > 0 then figures.emv / previous.emv - 1 end as change
  from figures
  cross join previous
)
select
  case
    when emv is null then 'The EMV of your ' || noun || ' is unknown.'
    when emv <= 0 then 'The EMV of your ' || noun || ' is **{emv:money_exact}**.'
    else 'Your ' || noun || ' earned **{emv:'
      -- whole euros would make nothing of a few cents
      || case when emv < 10 then 'money_exact' else 'money' end
      || '}** of media value'
      || compared_with(change, 'as much as', comparison) || '.'
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
from compared
cross join report_settings
where posts > 0;
