-- grain: that of the table that each hides
-- key: that of the table that each hides
-- reads: report_scope, webhook_events, whole_workspaces
-- parameters: $is_everything
--
-- Events and refused records of the scope (scope.sql). To tell whose they are is to read their payloads, of which there
-- may be many.
create or replace temp table webhook_events as
select events.*
from warehouse.webhook_events as events
anti join temp.posts_of_others as others
  on others.workspace = events.workspace
  and others.post_id = (events.payload ->> '$.data.post.id')
where events.workspace in (from whole_workspaces)
  or ($is_everything::boolean and events.workspace is null and events.workspace_slug is null);

create or replace temp table invites as
select invites.*
from warehouse.invites as invites
where workspace_slug in (select workspace_slug from webhook_events)
  or ($is_everything::boolean and workspace_slug is null);

create or replace temp table rejected_records as
with sources as (
  select workspace, workspace || ' GET /analytics/linkedin/' || profile_id || '/posts' as source
  from report_scope
)
select records.*
from warehouse.rejected_records as records
left join sources using (workspace, source)
left join whole_workspaces as whole using (workspace)
left join temp.posts_of_others as others
  on others.workspace = records.workspace
  and others.post_id = case when json_valid(records.payload) then (records.payload::json ->> '$.id') end
where sources.source is not null
  or (
    whole.workspace is not null
    and others.post_id is null
    and not starts_with(records.source, records.workspace || ' GET /analytics/linkedin/')
  );
