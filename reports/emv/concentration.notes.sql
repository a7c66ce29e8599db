-- grain: at most one row
-- key: none
-- reads: emv_ranks
-- parameters: none
with negative as (
  select count(*) as n
  from emv_ranks
  where emv < 0
)
select
  case when n = 1 then '{n:count} post has' else '{n:count} posts have' end
    || ' a negative EMV, so there are no shares of the whole.' as text,
  n
from negative
where n > 0;
