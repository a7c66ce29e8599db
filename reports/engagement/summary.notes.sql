-- grain: one sentence about what the totals leave out or rest on, in the page's order
-- key: text
-- reads: report_posts, report_removed, report_settings
with posts as (
  select
    count(*) filter (where engagements is null) as without_engagement,
    count(*) filter (where engagement > 1) as above_one,
    count(*) filter (where published_at is null) as without_time,
    count(*) filter (
      where least(like_count, comment_count, share_count, click_count, save_count, send_count, impression_count) < 0
    ) as negative
  from report_posts
),
removed as (
  select count(*) as removed_posts, exact_sum(engagements) as amount
  from report_removed
),
facts as (
  select amount, unnest(
    [
      {
        'position': 1,
        'text': '{n:count} {n|post lacks|posts lack} engagement or impressions: excluded from the rate, not counted as 0.',
        'n': without_engagement
      },
      {
        'position': 2,
        'text': '{n:count} {n|post has|posts have} an engagement above 100%, because LinkedIn counts reactions for life and impressions for 12 months.',
        'n': above_one
      },
      {
        'position': 3,
        'text': '{n:count} removed {n|post is|posts are} '
          || case removed when 'exclude' then 'excluded' when 'only' then 'all that is included' else 'included' end
          || case when amount is null then '.' else ' ({amount:count} {amount|engagement|engagements}).' end,
        'n': removed_posts
      },
      {
        'position': 4,
        'text': '{n:count} {n|post has|posts have} no time of publication: included here, and under an empty month.',
        'n': without_time
      },
      {
        'position': 5,
        'text': '{n:count} {n|post has|posts have} a negative count, for example after a reaction was withdrawn. Kept as given.',
        'n': negative
      }
    ],
    recursive := true
  )
  from posts
  cross join removed
  cross join report_settings
)
select text, n, amount
from facts
where n > 0
order by position;
