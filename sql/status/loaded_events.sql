-- grain: a loaded event whose file was not removed after its time
-- key: event_key
-- reads: webhook_events
-- parameters: $events_before (a day, or null)
select event_key
from webhook_events
where $events_before is null or received_at >= $events_before::timestamptz
order by event_key;
