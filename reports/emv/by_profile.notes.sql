-- grain: one sentence, in the page's order
-- key: text
-- reads: emv_gone, emv_groups
-- parameters: none
with profiles as (
  select count(*) as n
  from emv_groups
  where dimension = 'profile'
),
facts as (
  select
    1 as position,
    'Of {n:count} profiles the 12 with the most EMV are drawn; the table has all.' as text,
    n,
    null::double as gone_emv
  from profiles
  where n > 12
  union all
  select 2, text, n, gone_emv
  from emv_gone
  where dimension = 'profile'
)
select text, n, gone_emv
from facts
order by position;
