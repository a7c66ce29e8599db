-- grain: an event of a chunk that is to be judged again
-- key: event_key
-- reads: webhook_events, selected_events
-- parameters: $chunk
select
  event_key,
  strftime(received_at, '%Y-%m-%dT%H:%M:%S.%fZ') as received_at,
  payload
from webhook_events
join selected_events using (event_key)
where chunk = $chunk
order by event_key;
