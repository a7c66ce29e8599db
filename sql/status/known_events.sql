-- grain: an event of those asked for that was loaded
-- key: event_key
-- reads: webhook_events
-- parameters: $event_keys
select event_key
from webhook_events
where list_contains($event_keys, event_key)
order by event_key;
