-- grain: one sentence about what the figures rest on, in the page's order
-- key: text
-- reads: report_removed, report_settings, quality_day
-- parameters: none
with removed as (
  select count(*) as posts
  from report_removed
),
facts as (
  select
    1 as position,
    'Days are counted up to {day:date}, the newest reading of all profiles: how old that is, nothing in the data tells.' as text,
    null::bigint as n,
    day
  from quality_day
  cross join report_settings
  where as_of is null
  union all
  select 2, 'Days are counted up to {day:date}; later readings and runs are left out.', null, day
  from quality_day
  cross join report_settings
  where as_of is not null
  union all
  select
    3,
    'The period is that of publication: it narrows posts, windows and gaps. Runs and rejected records have no such day and are all counted.',
    null,
    null
  from report_settings
  where period_from is not null or period_to is not null
  union all
  select
    4,
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
