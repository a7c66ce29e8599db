-- grain: one sentence about slots and posts that are not compared
-- key: text
-- reads: engagement_slots, report_posts
-- parameters: none
with small as (
  select
    count(*) as slots,
    count(*) filter (where rank is null) as small_slots,
    any_value(overall) as overall
  from engagement_slots
),
untimed as (
  select count(*) as posts
  from report_posts
  where published_local is null
),
facts as (
  select
    1 as position,
    case
      when slots = 1 then 'The one hour used has'
      when small_slots = 1 then '{n:count} of {slots:count} hours used has'
      else '{n:count} of {slots:count} hours used have'
    end
      || ' fewer than 5 posts with a rate and '
      || case when small_slots = 1 then 'is not ranked.' else 'are not ranked.' end as text,
    small_slots as n,
    slots,
    null::double as overall
  from small
  where small_slots > 0
  union all
  select
    2,
    'Rates are shrunk towards {overall:rate}, the more the fewer posts an hour has.',
    null,
    null,
    overall
  from small
  where overall is not null
  union all
  select
    3,
    case when posts = 1 then '{n:count} post without a time is left out.'
      else '{n:count} posts without a time are left out.' end,
    posts,
    null,
    null
  from untimed
  where posts > 0
)
select text, n, slots, overall
from facts
order by position;
