-- grain: an event's key that the warehouse does not have
-- key: event_key
-- reads: webhook_events
-- parameters: $keys
select distinct event_key
from (select unnest($keys) as event_key) as given
anti join webhook_events using (event_key)
order by event_key;
