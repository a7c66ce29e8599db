-- grain: a workspace that events name, by its slug and by the key that it has or had in jobs.yaml
-- key: name
-- reads: webhook_events
-- parameters: none
select distinct name
from (
  select unnest([workspace, workspace_slug]) as name
  from webhook_events
)
where name is not null
order by name;
