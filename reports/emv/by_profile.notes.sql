-- grain: one sentence, in the page's order
-- key: text
-- reads: emv_groups
with facts as (
  select
    1 as position,
    'The chart shows the 12 of {n:count} profiles with the most EMV.' as text,
    count(*) as n
  from emv_groups
  where dimension = 'profile'
  having count(*) > 12
  union all by name
  select 2 as position, *
  from gone_notes('posts', 'profile', 'emv')
)
select text, n, amount
from facts
order by position;
