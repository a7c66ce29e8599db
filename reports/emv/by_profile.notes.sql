-- grain: at most one row; none where all profiles are drawn
-- key: none
-- reads: emv_groups
-- parameters: none
with profiles as (
  select count(*) as n
  from emv_groups
  where dimension = 'profile'
)
select 'The 12 profiles with the most EMV of {n:count} are drawn; the table has all.' as text, n
from profiles
where n > 12;
