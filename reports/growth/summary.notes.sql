-- grain: one sentence about what the totals rest on, in the page's order
-- key: text
-- reads: report_removed, report_settings, growth_posts
-- parameters: none
with histories as (
  select min(first_on) as first_on, count(*) filter (where first_age > 7) as late, count(*) as posts
  from growth_posts
),
removed as (
  select count(*) as posts
  from report_removed
),
facts as (
  select
    1 as position,
    'What was added is the difference between two readings. What a post had at its first reading is in no increment.' as text,
    null::bigint as n,
    null::date as day
  from histories
  where posts > 0
  union all
  select
    2,
    case when late = 1 then '{n:count} post was' else '{n:count} posts were' end
      || ' first read more than 7 days after publication: of the early days nothing is known, and no figure is claimed. The first reading was on {day:date}.',
    late,
    first_on
  from histories
  where late > 0
  union all
  select 3, 'The period is that of publication; readings of these posts count whenever they were taken.', null, null
  from report_settings
  cross join histories
  where posts > 0 and (period_from is not null or period_to is not null)
  union all
  select 4, 'EMV goes by the CPM of each reading: when the CPM is changed, EMV is added or lost without an impression.', null, null
  from report_settings
  cross join histories
  where cpm is null and posts > 0
  union all
  select
    5,
    case when removed.posts = 1 then '{n:count} post that was removed is' else '{n:count} posts that were removed are' end
      || case when report_settings.removed = 'exclude' then ' left out.' else ' counted here.' end,
    removed.posts,
    null
  from removed
  cross join report_settings
  where removed.posts > 0
)
select text, n, day
from facts
order by position;
