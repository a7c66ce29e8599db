-- What webhook events tell of, beside what answers of the API do. The reading of an event sorts among
-- those of responses: '2026-11-21T05:15:03.120000Z event 7c9e…' (created_at, the word, event_key).

-- Each of these groups of values has the reading that gave it; until now the details gave them all.
-- url, status and channels
alter table posts add column state_reading varchar;
-- what `content` has of each channel, and the assets in it
alter table posts add column linkedin_reading varchar;
alter table posts add column x_reading varchar;
alter table posts add column linkedin_assets_reading varchar;
alter table posts add column x_assets_reading varchar;
-- removed_at and removed_by; null for a post that was not removed
alter table posts add column removal_reading varchar;

update posts set
  state_reading = detail_reading,
  linkedin_reading = detail_reading,
  x_reading = detail_reading,
  linkedin_assets_reading = detail_reading,
  x_assets_reading = detail_reading;

-- Each channel on a line of its own (sql/load/macros.sql, content_of).
update posts
set content = '{"linkedIn":' || (content -> '$.linkedIn') || ',' || chr(10)
  || '"x":' || (content -> '$.x') || '}'
where (content -> '$.linkedIn') is not null
  and (content -> '$.x') is not null;

-- What a post has in two channels is two rows from now on.
-- key of assets: workspace, asset_id, post_id, channel

-- As the event has it, and the workspace's key in jobs.yaml; null while no workspace has that slug.
alter table webhook_events add column workspace_slug varchar;
alter table webhook_events add column workspace varchar;
-- of the copy that was received first: received_at and a hash of the payload, which sort as copies do
alter table webhook_events add column copy_rank varchar;

alter table invites add column reading varchar;
