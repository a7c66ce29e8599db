-- grain: days on end of a profile that were read, or that were not for the same reason
-- key: workspace, profile_id, start_date
-- reads: asked_days, failed_windows, quality_profiles, report_settings, report_windows, unread_days
with days as (
  select workspace, profile_id, unnest(generate_series(first_day, last_day, interval 1 day))::date as day
  from asked_days
  where span = 'period'
),
begun as (
  select distinct workspace, profile_id, timezone(timezone, fetched_at)::date as day
  from report_windows
  cross join report_settings
  where is_read and day between start_date and end_date
),
levels as (
  select distinct
    days.*,
    case when unread.span is null then 3 when failed.run_id is not null then 1 when begun.day is not null then 2 else 0 end
      as level
  from days
  left join begun using (workspace, profile_id, day)
  left join unread_days as unread
    on unread.workspace = days.workspace and unread.profile_id = days.profile_id and unread.span = 'period'
    and days.day between unread.first_day and unread.last_day
  -- a day needs the dates beside it, too
  left join failed_windows as failed
    on failed.workspace = days.workspace and failed.profile_id = days.profile_id
    and days.day between failed.start_date - 1 and failed.end_date + 1
),
stretches as (
  select *, day - row_number() over (partition by workspace, profile_id, level order by day)::integer as stretch
  from levels
)
select
  any_value(profile) as profile,
  workspace,
  min(day) as start_date,
  max(day) as end_date,
  count(*) as days,
  ['not read', 'failed', 'read before the day was over', 'read'][level + 1] as state,
  level,
  profile_id
from stretches
join quality_profiles using (workspace, profile_id)
group by workspace, profile_id, gap_days, level, stretch
order by gap_days desc, profile, workspace, profile_id, start_date;
