-- grain: one event about the post of the workspace to which the LinkedIn post belongs
-- key: event_key
-- reads: explained_cell, webhook_events
select events.type, events.created_at, events.received_at, events.outcome, events.reason, events.event_key
from webhook_events as events
join (select workspace, post_id from explained_cell) as post
  on post.workspace = events.workspace and post.post_id = (events.payload ->> '$.data.post.id')
order by events.reading_id, events.event_key;
