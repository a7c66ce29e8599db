-- grain: a truncation check of a run folder that the load reads; the later one of each window
-- key: workspace, run_id, profile_id, start_date, end_date
-- reads: none
-- parameters: $checks (a JSON array)
create or replace temp table new_checks as
from rows_of(
  $checks,
  '[{
    "workspace": "VARCHAR", "run_id": "VARCHAR", "profile_id": "VARCHAR", "start_date": "DATE",
    "end_date": "DATE", "kind": "VARCHAR", "checked_at": "TIMESTAMPTZ", "seq": "BIGINT",
    "records_whole": "BIGINT", "posts_whole": "BIGINT", "posts_first_half": "BIGINT",
    "posts_second_half": "BIGINT", "posts_halves": "BIGINT", "missing": "BIGINT"
  }]'
)
qualify row_number() over (
  partition by workspace, run_id, profile_id, start_date, end_date
  order by seq desc
) = 1;

delete from window_checks as known
using new_checks as checks
where known.run_id = checks.run_id
  and known.workspace = checks.workspace
  and known.profile_id = checks.profile_id
  and known.start_date = checks.start_date
  and known.end_date = checks.end_date;

insert into window_checks by name
from new_checks;
