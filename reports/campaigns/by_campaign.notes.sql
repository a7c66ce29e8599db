-- grain: one sentence, in the page's order
-- key: text
-- reads: campaign_list, campaign_posts, campaign_totals
-- parameters: none
with counts as (
  select
    count(*) filter (where posts = 0) as without_posts,
    count(*) filter (where campaigns > 1) as shared_names,
    count(*) filter (where posts > 0 and dates_from <> 'the campaign') as dated_by_posts,
    count(*) filter (where emv is not null and first_post is not null) as drawn
  from campaign_list
),
undated as (
  select count(*) as n
  from campaign_posts
  where is_current and published_at is null
),
facts as (
  select
    1 as position,
    case when posts_outside_dates = 1 then '{n:count} post was' else '{n:count} posts were' end
      || ' published outside the dates of the campaign. Counted all the same.' as text,
    posts_outside_dates as n
  from campaign_totals
  where is_current and posts_outside_dates > 0
  union all
  select
    2,
    case when without_posts = 1 then '{n:count} campaign has' else '{n:count} campaigns have' end
      || ' no posts here. One whose dates or posts are outside the period is not listed.',
    without_posts
  from counts
  where without_posts > 0
  union all
  select
    3,
    case when dated_by_posts = 1 then '{n:count} campaign has' else '{n:count} campaigns have' end
      || ' no first or no last day, or several under one name: the day of the first or the last post is shown instead.',
    dated_by_posts
  from counts
  where dated_by_posts > 0
  union all
  select
    4,
    case when shared_names = 1 then '{n:count} name is' else '{n:count} names are' end
      || ' that of several campaigns, which count as one.',
    shared_names
  from counts
  where shared_names > 0
  union all
  select
    5,
    'The 5 campaigns with the most EMV have a line each, the other {n:count} one line together.',
    drawn - 5
  from counts
  where drawn > 6
  union all
  select
    6,
    case when n = 1 then '{n:count} post has' else '{n:count} posts have' end
      || ' no time of publication: in the table, on no line.',
    n
  from undated
  where n > 0
)
select text, n
from facts
order by position;
