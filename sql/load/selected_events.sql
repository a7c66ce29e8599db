-- grain: an event of the warehouse that is to be judged again, in chunks of about $chunk_bytes of payload
-- key: event_key
-- reads: webhook_events
-- parameters: $selection ('all', 'rejected', or 'waiting' for a workspace that is configured by now or a type that is known by now), $slugs and $workspaces (their keys, in the same order), $former_reasons (for which events of the known types were kept before), $chunk_bytes
create or replace temp table selected_events as
select
  event_key,
  ((sum(strlen(payload)) over (order by event_key)) // $chunk_bytes)::bigint as chunk
from webhook_events
where case $selection
  when 'all' then true
  when 'rejected' then outcome = 'rejected'
  -- what was applied stays where it is; all else is of the workspace that has its slug now, if any
  when 'waiting' then (
    outcome <> 'applied'
    and workspace is distinct from $workspaces[list_position($slugs, workspace_slug)]
  )
  or (outcome = 'kept' and list_contains($former_reasons, reason))
end;

select distinct chunk
from selected_events
order by chunk;
