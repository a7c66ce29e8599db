-- grain: one profile that a job asks for, with how far it was read
-- key: workspace, profile_id
-- reads: asked_days, unread_days
-- parameters: $workspaces, $profiles, $untils (for each profile its last day, or an empty text), $today
--
-- asked_days is that of configured_days.sql. read_until: the last day that counts as read; null if none was ever read.
-- has_ended: its last day is over, and every day that should have been read was read.
with configured as (
  select
    unnest($workspaces::varchar[]) as workspace,
    unnest($profiles::varchar[]) as profile_id,
    nullif(unnest($untils::varchar[]), '')::date as until
),
unread as (
  select workspace, profile_id, max_by(first_day, last_day) as first_day, max(last_day) as last_day
  from unread_days
  where span = 'asked'
  group by workspace, profile_id
)
select
  workspace,
  profile_id,
  until,
  case
    when unread.last_day is null or unread.last_day < asked_days.last_day then asked_days.last_day
    when unread.first_day > asked_days.first_day then unread.first_day - 1
  end as read_until,
  coalesce(until < $today::date, false) and unread.last_day is null as has_ended
from configured
left join asked_days using (workspace, profile_id)
left join unread using (workspace, profile_id)
order by workspace, profile_id;
