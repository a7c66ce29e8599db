-- grain: a slug of applied events, and the workspace that the last of them went to
-- key: slug
-- reads: webhook_events
-- parameters: none
select
  workspace_slug as slug,
  max_by(workspace, (received_at, event_key)) as workspace
from webhook_events
where outcome = 'applied' and workspace_slug is not null
group by workspace_slug
order by workspace_slug;
