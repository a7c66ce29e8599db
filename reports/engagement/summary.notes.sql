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
  select count(*) as posts
  from report_removed
),
facts as (
  select
    1 as position,
    case when without_engagement = 1 then '{n:count} post lacks' else '{n:count} posts lack' end
      || ' engagement or impressions: not in the rate, and not counted as 0.' as text,
    without_engagement as n
  from posts
  where without_engagement > 0
  union all
  select
    2,
    case when above_one = 1 then '{n:count} post has' else '{n:count} posts have' end
      || ' an engagement above 100%: reactions count for life, impressions for 12 months. Kept as given.',
    above_one
  from posts
  where above_one > 0
  union all
  select
    3,
    case removed
      when 'only' then 'Removed posts only.'
      when 'include' then '{n:count} removed after publication, counted here.'
      else '{n:count} removed after publication, left out.'
    end,
    removed.posts
  from removed
  cross join report_settings
  where removed.posts > 0
  union all
  select
    4,
    case when without_time = 1 then '{n:count} post has' else '{n:count} posts have' end
      || ' no time of publication: counted here and under an empty month.',
    without_time
  from posts
  where without_time > 0
  union all
  select
    5,
    case when negative = 1 then '{n:count} post has' else '{n:count} posts have' end
      || ' a negative count (an undone reaction). Kept as given.',
    negative
  from posts
  where negative > 0
)
select text, n
from facts
order by position;
