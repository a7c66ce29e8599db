-- grain: an event of the batch, with what it does to the table
-- key: event_key
-- reads: staged_events, webhook_events
-- parameters: none
create or replace temp table batch_events as
with compared as (
  select
    event_key,
    staged.outcome,
    staged.reason,
    staged.is_foreign,
    staged.workspace_slug,
    known.event_key is null as is_new,
    known.outcome as known_outcome,
    -- what was applied once stays applied
    coalesce(known.outcome <> 'applied' or staged.outcome = 'applied', false)
    and (staged.outcome, staged.reason, staged.workspace, staged.workspace_slug, staged.workspace_id)
      is distinct from
      (known.outcome, known.reason, known.workspace, known.workspace_slug, known.workspace_id)
      as is_judged_anew,
    coalesce(staged.copy_rank < known.copy_rank, false) as is_earlier_copy
  from staged_events as staged
  left join webhook_events as known using (event_key)
)
select
  *,
  is_new or (is_judged_anew and known_outcome <> outcome) as is_told,
  case when known_outcome = 'applied' then known_outcome else outcome end as outcome_now
from compared;

insert into webhook_events (
  event_key,
  type,
  created_at,
  received_at,
  workspace_id,
  payload,
  outcome,
  reason,
  workspace_slug,
  workspace,
  copy_rank
)
select
  event_key,
  type,
  created_at,
  received_at,
  workspace_id,
  payload,
  outcome,
  reason,
  workspace_slug,
  workspace,
  copy_rank
from staged_events
semi join (select event_key from batch_events where is_new) as news using (event_key);

update webhook_events as known
set
  outcome = batch.outcome,
  reason = batch.reason,
  workspace = batch.workspace,
  workspace_slug = batch.workspace_slug,
  workspace_id = batch.workspace_id
from (
  select staged_events.*
  from staged_events
  join batch_events using (event_key)
  where is_judged_anew
) as batch
where known.event_key = batch.event_key;

-- Apart from the above, so that this is all for which payloads are looked at.
update webhook_events as known
set
  received_at = batch.received_at,
  payload = batch.payload,
  copy_rank = batch.copy_rank
from (
  select staged_events.*
  from staged_events
  join batch_events using (event_key)
  where is_earlier_copy
) as batch
where known.event_key = batch.event_key;
