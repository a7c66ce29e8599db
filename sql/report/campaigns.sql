-- grain: one name of a campaign that the filters let through, with posts or without
-- key: campaign
-- reads: campaigns
-- parameters: $workspaces, $campaigns
--
-- Campaigns of one name are one. Its dates are known where all of them agree: of two that differ, neither is
-- the truth. They belong to workspaces, so what is asked about profiles, labels and types leaves them alone.
create or replace temp table report_campaigns as
with chosen as (
  select name, start_date, end_date
  from campaigns
  where name is not null
    and (len($workspaces::varchar[]) = 0 or list_contains($workspaces::varchar[], workspace))
    and (len($campaigns::varchar[]) = 0 or list_contains($campaigns::varchar[], name))
)
select
  name as campaign,
  case when count(start_date) = count(*) and min(start_date) = max(start_date) then min(start_date) end
    as start_date,
  case when count(end_date) = count(*) and min(end_date) = max(end_date) then min(end_date) end as end_date,
  count(*) as campaigns
from chosen
group by name;
