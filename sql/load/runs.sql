-- grain: a run folder that the load reads
-- key: run_id, workspace
-- reads: new_responses
-- parameters: $parts (a JSON array)
create or replace temp table new_parts as
from rows_of(
  $parts,
  '[{
    "run_id": "VARCHAR", "workspace": "VARCHAR", "job": "VARCHAR", "started_at": "TIMESTAMPTZ",
    "finished_at": "TIMESTAMPTZ", "status": "VARCHAR", "requests": "BIGINT", "retries": "BIGINT",
    "throttled": "BIGINT",
    "profiles": [{"profile_id": "VARCHAR", "name": "VARCHAR", "cpm": "DOUBLE"}],
    "is_complete": "BOOLEAN"
  }]'
);

delete from run_parts
using new_parts
where run_parts.run_id = new_parts.run_id
  and run_parts.workspace = new_parts.workspace;

insert into run_parts by name
from new_parts;

insert into loaded_responses by name
select workspace, run_id, seq, kind, outcome, fetched_at, requests, posts_read, rejected
from new_responses;

-- If a window was requested twice in a run, the later response counts.
create or replace temp table new_windows as
select
  run_id,
  workspace,
  profile_id,
  start_date,
  end_date,
  case
    when outcome <> 'succeeded' then 'failed'
    when first_day is null then 'partial'
    else 'succeeded'
  end as status,
  http_status,
  posts_read,
  requests,
  fetched_at,
  error,
  seq,
  records,
  distinct_posts,
  first_day,
  last_day,
  reason,
  outside,
  part_of
from new_responses
where kind = 'analytics' and profile_id is not null
qualify row_number() over (
  partition by run_id, workspace, profile_id, start_date, end_date
  order by seq desc
) = 1;

delete from extract_windows as known
using new_windows as windows
where known.run_id = windows.run_id
  and known.workspace = windows.workspace
  and known.profile_id = windows.profile_id
  and known.start_date = windows.start_date
  and known.end_date = windows.end_date;

insert into extract_windows by name
from new_windows;
