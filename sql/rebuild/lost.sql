-- grain: a warehouse that was rebuilt: the responses and events that only the one before it has
-- key: none
-- reads: loaded_responses, webhook_events
-- parameters: $responses and $events (the tables of the one before it)
select
  (select count(*) from query_table($responses) anti join loaded_responses using (workspace, run_id, seq))
  + (select count(*) from query_table($events) anti join webhook_events using (event_key)) as lost;
