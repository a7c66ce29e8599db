-- grain: an answer that looked cut off, with what reading its halves showed; a window checked twice in a run counts as the later check says
-- key: workspace, run_id, profile_id, start_date, end_date
-- reads: none
-- parameters: $checks (a JSON array)
merge into window_checks as known
using (
  select
    finding.workspace,
    finding.run_id,
    finding.profile_id,
    finding.start_date::date as start_date,
    finding.end_date::date as end_date,
    finding.kind,
    finding.checked_at::timestamptz as checked_at,
    finding.seq,
    finding.records_whole,
    finding.posts_whole,
    finding.posts_first_half,
    finding.posts_second_half,
    finding.posts_halves,
    finding.missing
  from (
    select unnest(
      from_json(
        $checks::json,
        '[{
          "workspace": "VARCHAR", "run_id": "VARCHAR", "profile_id": "VARCHAR", "start_date": "VARCHAR",
          "end_date": "VARCHAR", "kind": "VARCHAR", "checked_at": "VARCHAR", "seq": "BIGINT",
          "records_whole": "BIGINT", "posts_whole": "BIGINT", "posts_first_half": "BIGINT",
          "posts_second_half": "BIGINT", "posts_halves": "BIGINT", "missing": "BIGINT"
        }]'
      )
    ) as finding
  )
  qualify row_number() over (
    partition by
      finding.workspace,
      finding.run_id,
      finding.profile_id,
      finding.start_date,
      finding.end_date
    order by finding.seq desc
  ) = 1
) as batch
on known.workspace = batch.workspace
  and known.run_id = batch.run_id
  and known.profile_id = batch.profile_id
  and known.start_date = batch.start_date
  and known.end_date = batch.end_date
when matched and batch.seq > known.seq then update set
  kind = batch.kind,
  checked_at = batch.checked_at,
  seq = batch.seq,
  records_whole = batch.records_whole,
  posts_whole = batch.posts_whole,
  posts_first_half = batch.posts_first_half,
  posts_second_half = batch.posts_second_half,
  posts_halves = batch.posts_halves,
  missing = batch.missing
when not matched then insert (
  workspace,
  run_id,
  profile_id,
  start_date,
  end_date,
  kind,
  checked_at,
  seq,
  records_whole,
  posts_whole,
  posts_first_half,
  posts_second_half,
  posts_halves,
  missing
) values (
  batch.workspace,
  batch.run_id,
  batch.profile_id,
  batch.start_date,
  batch.end_date,
  batch.kind,
  batch.checked_at,
  batch.seq,
  batch.records_whole,
  batch.posts_whole,
  batch.posts_first_half,
  batch.posts_second_half,
  batch.posts_halves,
  batch.missing
);
