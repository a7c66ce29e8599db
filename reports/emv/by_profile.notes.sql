-- grain: one sentence, in the page's order
-- key: text
-- reads: emv_gone, emv_groups
select
  1 as position,
  case
    when count(*) <= 12 then null
    when count(emv) = 0 then 'The chart shows the 12 of {n:count} profiles with the most interactions.'
    else 'The chart shows the 12 of {n:count} profiles with the most EMV.'
  end as text,
  count(*) as n
from emv_groups
where dimension = 'profile'
union all by name
select 2 as position, * exclude (dimension)
from emv_gone
where dimension = 'profile'
order by position;
