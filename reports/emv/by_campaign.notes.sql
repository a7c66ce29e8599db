-- grain: one sentence, in the page's order
-- key: text
-- reads: report_posts
with counted as (
  select
    count(distinct campaign) filter (where emv is not null and published_at is not null) as campaigns,
    count(*) filter (where campaign is not null and published_at is null) as undated
  from report_posts
),
facts as (
  select unnest(
    [
      {
        'position': 1,
        'text': 'The chart shows the 5 campaigns with the most EMV, and the other {n:count} as one line.',
        'n': case when campaigns > 6 then campaigns - 5 end
      },
      {
        'position': 2,
        'text': '{n:count} {n|post|posts} without a time of publication {n|is|are} in the table but not in the chart.',
        'n': nullif(undated, 0)
      }
    ],
    recursive := true
  )
  from counted
  union all by name
  select 3 as position, *
  from gone_notes('posts', 'campaign', 'emv')
)
select text, n, amount
from facts
order by position;
