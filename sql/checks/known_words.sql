-- grain: a word that its column has not
-- key: table_name, word
-- reads: webhook_events, runs, run_parts, extract_windows, loaded_responses, post_readings
-- parameters: none
select distinct 'webhook_events' as table_name, outcome as word
from webhook_events
where outcome not in ('applied', 'kept', 'rejected')
  or (outcome = 'applied') <> (reason is null)
union
select distinct 'runs' as table_name, status as word
from runs
where status not in ('running', 'interrupted', 'succeeded', 'partial', 'failed')
union
select distinct 'run_parts' as table_name, status as word
from run_parts
where status not in ('running', 'interrupted', 'succeeded', 'partial', 'failed')
union
select distinct 'extract_windows' as table_name, status as word
from extract_windows
where status not in ('succeeded', 'failed')
union
select distinct 'loaded_responses' as table_name, outcome as word
from loaded_responses
where outcome not in ('succeeded', 'not-found', 'failed')
union
select distinct 'post_readings' as table_name, kind as word
from post_readings
where kind not in ('mentioned', 'found', 'missing')
order by all;
