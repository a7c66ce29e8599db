-- grain: a shard that was rebuilt
-- reads: known_responses, loaded_responses, known_events, webhook_events
select
  (
    select count(*)
    from known_responses
    anti join loaded_responses using (workspace, run_id, seq)
  )
  + (
    select count(*)
    from known_events
    anti join webhook_events using (event_key)
  ) as lost
