-- grain: one row: whether the chart shows all profiles
-- reads: report_groups
select
  case
    when count(*) <= 12 then null
    when count(emv) = 0 then 'The chart shows the 12 of {n|# profile|# profiles} with the most interactions.'
    else 'The chart shows the 12 of {n|# profile|# profiles} with the most EMV.'
  end as text,
  count(*) as n
from report_groups
where dimension = 'profile';
