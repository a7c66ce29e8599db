-- grain: one profile that a job asks for, with its first and its last day that should have been read
-- key: span, workspace, profile_id
-- reads: none
-- parameters: $workspaces, $profiles, $days (the first one of each), $today
create or replace temp table asked_days as
with asked as (
  select
    unnest($workspaces::varchar[]) as workspace,
    unnest($profiles::varchar[]) as profile_id,
    unnest($days::varchar[])::date as first_day
)
select 'asked' as span, workspace, profile_id, first_day, $today::date - 1 as last_day
from asked
where first_day < $today::date;
