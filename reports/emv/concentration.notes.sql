-- grain: at most one row
-- reads: emv_ranks
with negative as (
  select count(*) as n
  from emv_ranks
  where emv < 0
)
select
  'Shares are not shown: {n:count} {n|post has|posts have} negative EMV.' as text,
  n
from negative
where n > 0;
