-- grain: one profile that a job asks for, with its first and its last day that should have been read
-- key: span, workspace, profile_id
-- reads: none
-- parameters: $workspaces, $profiles, $days, $untils (for each profile its first day, and its last one or an empty text), $today
create or replace temp table asked_days as
with asked as (
  select
    unnest($workspaces::varchar[]) as workspace,
    unnest($profiles::varchar[]) as profile_id,
    unnest($days::varchar[])::date as first_day,
    nullif(unnest($untils::varchar[]), '')::date as until
)
-- least ignores nulls
select 'asked' as span, workspace, profile_id, first_day, least($today::date - 1, until) as last_day
from asked
where first_day <= last_day;
