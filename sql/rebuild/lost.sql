-- grain: two warehouses
-- key: none
-- reads: published.loaded_responses, published.webhook_events, rebuilt.loaded_responses, rebuilt.webhook_events
-- parameters: none
select
  (
    select count(*)
    from published.loaded_responses
    anti join rebuilt.loaded_responses using (workspace, run_id, seq)
  )
  + (
    select count(*)
    from published.webhook_events
    anti join rebuilt.webhook_events using (event_key)
  ) as lost;
