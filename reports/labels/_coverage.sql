-- grain: one fact about what the figures rest on, in the page's order
-- key: text
-- reads: report_posts, report_removed, report_settings
-- parameters: none
with posts as (
  select
    count(*) as posts,
    count(*) filter (where len(labels) = 0) as without_label,
    count(*) filter (where engagements is null or impression_count is null) as without_rate,
    count(*) filter (where emv is null) as without_emv,
    count(*) filter (where is_young) as young
  from report_posts
),
removed as (
  select count(*) as posts, exact_sum(emv) as emv
  from report_removed
),
facts as (
  select
    1 as position,
    case when posts = 1 then '{n:count} post' else '{n:count} posts' end as text,
    posts as n,
    null::double as emv
  from posts
  union all
  select 2, '{n:count} without a label', without_label, null
  from posts
  where without_label > 0
  union all
  select
    3,
    case
      when report_settings.removed <> 'exclude' then '{n:count} removed, shown'
      when removed.emv is null then '{n:count} removed, left out'
      else '{n:count} removed, {emv:money_exact} left out'
    end,
    removed.posts,
    removed.emv
  from removed
  cross join report_settings
  where removed.posts > 0
  union all
  select 4, '{n:count} without an engagement rate', without_rate, null
  from posts
  where without_rate > 0
  union all
  select 5, '{n:count} without EMV', without_emv, null
  from posts
  where without_emv > 0
  union all
  select 6, '{n:count} not final, younger than 14 days', young, null
  from posts
  where young > 0
)
select text, n, emv
from facts
order by position;
