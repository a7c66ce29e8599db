-- grain: at most one row: the values that a logarithmic axis cannot show
-- reads: emv_ranks
with unplaced as (
  select count(*) as n
  from emv_ranks
  where emv <= 0
)
select
  '{n:count} {n|post|posts} with an EMV of 0 or less {n|is|are} not in the chart (logarithmic axis).' as text,
  n
from unplaced
where n > 0;
