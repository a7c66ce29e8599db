-- grain: one sentence, in the page's order
-- key: text
-- reads: report_posts
-- parameters: none
with campaigns as (
  select count(distinct campaign) filter (where emv is not null and published_at is not null) as n
  from report_posts
),
undated as (
  select count(*) as n
  from report_posts
  where campaign is not null and published_at is null
),
facts as (
  select
    1 as position,
    'The 5 campaigns with the most EMV are drawn, the other {n:count} as one line.' as text,
    n - 5 as n
  from campaigns
  where n > 6
  union all
  select
    2,
    case when n = 1 then '{n:count} post of a campaign has' else '{n:count} posts of campaigns have' end
      || ' no time of publication: in the table, on no line.',
    n
  from undated
  where n > 0
)
select text, n
from facts
order by position;
