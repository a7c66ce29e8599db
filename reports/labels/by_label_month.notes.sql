-- grain: at most one row; none if all labels are drawn
-- reads: label_groups
select
  case
    when count(emv) = 0 then 'The chart shows the 12 of {n:count} labels with the most interactions.'
    else 'The chart shows the 12 of {n:count} labels with the most EMV.'
  end as text,
  count(*) as n
from label_groups
where dimension = 'label' and name <> '(none)'
having count(*) > 12;
