-- grain: a loaded event
-- key: event_key
-- reads: webhook_events
-- parameters: none
select event_key
from webhook_events
order by event_key;
