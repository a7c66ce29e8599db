-- grain: an event that was loaded, after a key and no more than so many
-- key: event_key
-- reads: webhook_events
-- parameters: $after, $limit
select event_key
from webhook_events
where event_key > $after
order by event_key
limit $limit;
