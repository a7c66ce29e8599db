-- grain: an invitation that an event of the batch tells of, and that is not in the table
-- key: event_key
-- reads: staged_events, invites
-- parameters: none
select staged.event_key, staged.invite.invite_id
from staged_events as staged
anti join invites as known
  on known.invite_id = staged.invite.invite_id
  and known.reading >= staged.reading
where staged.invite is not null
order by all;
