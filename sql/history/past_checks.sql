-- grain: an answer that looked truncated, with the result of its check
-- key: workspace, run_id, profile_id, start_date, end_date
-- reads: window_checks
-- parameters: $workspaces
select
  workspace,
  profile_id,
  start_date,
  end_date,
  kind,
  records_whole as records,
  posts_whole as posts,
  epoch_ms(checked_at) as checked_at_ms
from window_checks
where workspace in (select unnest($workspaces::varchar[]))
order by checked_at, run_id, workspace, profile_id, start_date, end_date;
