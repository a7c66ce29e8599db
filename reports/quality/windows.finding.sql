-- grain: at most one row; none without an open window
-- key: none
-- reads: quality_open_windows
-- parameters: none
with open as (
  select count(*) as windows, sum(open_days) as days, count(distinct (workspace, profile_id)) as profiles
  from quality_open_windows
)
select
  case when windows = 1 then '1 window failed and is open: ' else '{windows:count} windows failed and are open: ' end
    || case when days = 1 then '1 day' else '{days:count} days' end
    || case when profiles = 1 then ' of 1 profile' else ' of {profiles:count} profiles' end as text,
  windows,
  days,
  profiles
from open
where windows > 0;
