-- grain: a removed post whose deletion no applied event tells of
-- key: workspace, post_id
-- reads: posts, webhook_events
-- parameters: none
select removed.workspace, removed.post_id
from posts as removed
anti join webhook_events as events
  -- a reading of an event ends with its key
  on events.event_key = right(removed.removal_reading, 64)
  and events.workspace = removed.workspace
  and events.type = 'post.permanently_deleted'
  and events.outcome = 'applied'
where removed.removal_reading is not null
order by all;
