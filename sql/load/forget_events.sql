-- grain: an event that is to be read again from its file
-- key: event_key
-- reads: webhook_events
-- parameters: $outcomes
create or replace temp table forgotten_events as
select event_key, outcome, workspace, post.post_id as post_id
from webhook_events
where list_contains($outcomes, outcome);

delete from webhook_events
using forgotten_events as forgotten
where webhook_events.event_key = forgotten.event_key;
