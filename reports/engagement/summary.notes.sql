-- grain: one sentence about what the totals leave out or rest on, in the page's order
-- key: text
-- reads: report_posts, report_removed, report_settings
-- parameters: none
with posts as (
  select
    count(*) filter (where engagements is null) as without_engagement,
    count(*) filter (where published_at is null) as without_time,
    count(*) filter (where engagement > 1) as above_one,
    count(*) filter (
      where least(like_count, comment_count, share_count, click_count, save_count, send_count,
        impression_count) < 0
    ) as negative
  from report_posts
),
removed as (
  select count(*) as posts, count(engagements) as posts_with_engagements, exact_sum(engagements) as engagements
  from report_removed
),
facts as (
  select
    1 as position,
    case when without_engagement = 1 then '{n:count} post lacks' else '{n:count} posts lack' end
      || ' engagement or impressions: not in the rate, and not counted as 0.' as text,
    without_engagement as n,
    null::double as amount
  from posts
  where without_engagement > 0
  union all
  select
    2,
    case when above_one = 1 then '{n:count} post has' else '{n:count} posts have' end
      || ' an engagement above 100%: reactions count for life, impressions for 12 months. Kept as given.',
    above_one,
    null
  from posts
  where above_one > 0
  union all
  select
    3,
    case when report_settings.removed = 'only' then 'Only the ' else '' end
      || case
        when removed.posts = 1 then '{n:count} post that was removed is'
        else '{n:count} posts that were removed are'
      end
      || case when report_settings.removed = 'exclude' then ' left out; ' else ' counted here; ' end
      || case when removed.posts = 1 then 'its engagements' else 'their engagements' end
      || case
        when removed.engagements is null then ' are not known.'
        when posts_with_engagements < removed.posts then ' are {amount:count}, as far as they are known.'
        else ' are {amount:count}.'
      end,
    removed.posts,
    removed.engagements
  from removed
  cross join report_settings
  where removed.posts > 0
  union all
  select
    4,
    case when without_time = 1 then '{n:count} post has' else '{n:count} posts have' end
      || ' no time of publication: counted here and under an empty month.',
    without_time,
    null
  from posts
  where without_time > 0
  union all
  select
    5,
    case when negative = 1 then '{n:count} post has' else '{n:count} posts have' end
      || ' a negative count (an undone reaction). Kept as given.',
    negative,
    null
  from posts
  where negative > 0
)
select text, n, amount
from facts
order by position;
