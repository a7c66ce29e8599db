-- grain: one sentence, in the page's order
-- key: text
-- reads: emv_gone, report_posts
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
    'The 5 campaigns with the most EMV have a line each, the other {n:count} one line together.' as text,
    n - 5 as n,
    null::double as gone_emv
  from campaigns
  where n > 6
  union all
  select
    2,
    case when n = 1 then '{n:count} post of a campaign has' else '{n:count} posts of campaigns have' end
      || ' no time of publication: in the table, on no line.',
    n,
    null
  from undated
  where n > 0
  union all
  select 3, text, n, gone_emv
  from emv_gone
  where dimension = 'campaign'
)
select text, n, gone_emv
from facts
order by position;
