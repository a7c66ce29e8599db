-- grain: a table of facts that is taken over from the published warehouse; another version may lack some
-- key: table_name
-- reads: none
-- parameters: none
select
  table_name,
  case table_name
    when 'run_parts' then 'carried_parts'
    when 'extract_windows' then 'carried_windows'
    else table_name
  end as target,
  if(
    table_name = 'webhook_events',
    'carried_events using (event_key)',
    'carried_runs using (workspace, run_id)'
  ) as keys
from duckdb_tables()
where database_name = 'published'
  and table_name in (
    'readings', 'post_details', 'review_readings', 'rejected_records', 'run_parts',
    'extract_windows', 'webhook_events'
  )
order by table_name;
