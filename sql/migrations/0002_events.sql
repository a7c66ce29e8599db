-- What webhook events tell of, beside what answers of the API do. The reading of an event sorts among
-- those of responses: '2026-11-21T05:15:03.120000Z event 7c9e…' (created_at, the word, event_key).

-- Each of these groups of values has the reading that gave it; until now the details gave them all.
-- url, status and channels
alter table posts add column state_reading varchar;
-- content, and the post's assets
alter table posts add column content_reading varchar;
-- removed_at and removed_by; null for a post that was not removed
alter table posts add column removal_reading varchar;

update posts set
  state_reading = detail_reading,
  content_reading = detail_reading;

-- As the event has it, and the workspace's key in jobs.yaml; null while no workspace has that slug.
alter table webhook_events add column workspace_slug varchar;
alter table webhook_events add column workspace varchar;
-- of the copy that was received first: received_at and a hash of the payload, which sort as copies do
alter table webhook_events add column copy_rank varchar;

alter table invites add column reading varchar;
