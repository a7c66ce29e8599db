-- grain: all events that the published warehouse has and the rebuilt one has not
-- key: none
-- reads: published.webhook_events, rebuilt.webhook_events
-- parameters: none
select count(*) as events
from published.webhook_events
anti join rebuilt.webhook_events using (event_key)
order by all;
