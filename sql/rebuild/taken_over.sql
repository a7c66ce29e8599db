-- grain: a warehouse
-- key: none
-- reads: none
-- parameters: $runs and $events (its tables), $runs_before, $events_before (days, or null)
select
  (select count(*) from query_table($runs) where started_at < $runs_before::timestamptz) as runs,
  (select count(*) from query_table($events) where received_at < $events_before::timestamptz) as events;
