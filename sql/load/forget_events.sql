-- grain: an event that is to be read again from its file
-- key: event_key
-- reads: webhook_events
-- parameters: $event_keys
create or replace temp table forgotten_events as
select event_key, outcome, workspace, post.post_id as post_id
from webhook_events
where event_key in (select unnest($event_keys::varchar[]));

delete from webhook_events
using forgotten_events as forgotten
where webhook_events.event_key = forgotten.event_key;
