-- grain: none; the runs and events of the published warehouse whose raw data were removed after their time
-- key: workspace, run_id; event_key
-- reads: published.run_parts, published.webhook_events, extract_windows
-- parameters: $runs_before, $events_before (days, or null), $runs (<workspace>/<run_id>), $events (what the raw store has)
create or replace temp table carried_runs as
select workspace, run_id
from published.run_parts
where started_at < $runs_before::timestamptz
  and workspace || '/' || run_id not in (select unnest($runs));

create or replace temp table carried_events as
select event_key
from published.webhook_events
where received_at < $events_before::timestamptz
  and event_key not in (select unnest($events));

create or replace temp table carried_windows as
from extract_windows
where false;
