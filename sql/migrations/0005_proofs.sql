-- What an answer proves is a fact. The answers of before are judged by what they gave, and their last date counts as it did
-- then.
drop table if exists window_checks;

alter table extract_windows add column if not exists first_day date;
alter table extract_windows add column if not exists last_day date;
alter table extract_windows add column if not exists reason varchar;
alter table extract_windows add column if not exists outside bigint;
alter table extract_windows add column if not exists part_of date;

update extract_windows
set
  first_day = start_date,
  last_day = end_date,
  reason = if(records >= 100 and records % 50 = 0, 'round_count', null),
  outside = 0
where status = 'succeeded';

update extract_windows
set
  status = if(dates.outside >= 2 and dates.outside > dates.dated / 10, 'partial', 'succeeded'),
  first_day = if(dates.outside >= 2 and dates.outside > dates.dated / 10, null, start_date),
  last_day = if(dates.outside >= 2 and dates.outside > dates.dated / 10, null, end_date),
  reason = if(dates.outside >= 2 and dates.outside > dates.dated / 10, 'other_dates', reason),
  outside = dates.outside
from (
  select
    readings.workspace,
    readings.run_id,
    readings.seq,
    count(readings.published_at) as dated,
    count(*) filter (
      where timezone('UTC', readings.published_at)::date < windows.start_date - 1
        or timezone('UTC', readings.published_at)::date > windows.end_date + 1
    ) as outside
  from readings
  join extract_windows as windows
    on windows.workspace = readings.workspace
    and windows.run_id = readings.run_id
    and windows.seq = readings.seq
  group by readings.workspace, readings.run_id, readings.seq
) as dates
where dates.outside > 0
  and extract_windows.status = 'succeeded'
  and extract_windows.workspace = dates.workspace
  and extract_windows.run_id = dates.run_id
  and extract_windows.seq = dates.seq;
