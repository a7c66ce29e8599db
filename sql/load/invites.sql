-- grain: an invitation of the batch, as its last event told of it
-- key: invite_id
-- reads: staged_events
-- parameters: none
merge into invites as known
using (
  select
    invite.invite_id,
    invite.email,
    time_of(invite.created_at) as created_at,
    invite.invited_by,
    invite.workspace_slug,
    invite.sent_email,
    reading
  from staged_events
  where invite is not null
  qualify row_number() over (partition by invite.invite_id order by reading desc) = 1
) as batch
on known.invite_id = batch.invite_id
when matched and batch.reading >= coalesce(known.reading, '') then update set
  email = batch.email,
  created_at = batch.created_at,
  invited_by = batch.invited_by,
  workspace_slug = batch.workspace_slug,
  sent_email = batch.sent_email,
  reading = batch.reading
when not matched then insert (
  invite_id,
  email,
  created_at,
  invited_by,
  workspace_slug,
  sent_email,
  reading
) values (
  batch.invite_id,
  batch.email,
  batch.created_at,
  batch.invited_by,
  batch.workspace_slug,
  batch.sent_email,
  batch.reading
);
