-- grain: at most one row; none where all labels are drawn
-- key: none
-- reads: label_sums
-- parameters: none
with labels as (
  select count(*) as n
  from label_sums
  where is_current and dimension = 'label' and not is_monthly and label <> '(none)'
)
select 'Of {n:count} labels the 12 with the most EMV are drawn.' as text, n
from labels
where n > 12;
