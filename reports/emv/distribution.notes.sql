-- grain: at most one row: what a logarithmic axis has no place for
-- key: none
-- reads: emv_ranks
-- parameters: none
with unplaced as (
  select count(*) as n
  from emv_ranks
  where emv <= 0
)
select
  case when n = 1 then '{n:count} post has' else '{n:count} posts have' end
    || ' an EMV of 0 or less, for which a logarithmic axis has no place.' as text,
  n
from unplaced
where n > 0;
