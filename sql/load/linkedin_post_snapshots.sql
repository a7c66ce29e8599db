-- grain: a LinkedIn post's last reading of a day that the load touches
-- key: workspace, linkedin_post_id, captured_on
-- reads: new_responses, readings, loaded_responses
-- parameters: $timezone, $all_days (after a change of time zone every day is another)
create or replace temp table touched_days as
select
  workspace,
  linkedin_post_id,
  timezone($timezone, fetched_at)::date as captured_on,
  max(reading_id) as reading_id
from readings
semi join (
  select workspace, run_id, seq
  from new_responses
  union all
  select workspace, run_id, seq
  from loaded_responses
  where $all_days
) as wanted using (workspace, run_id, seq)
group by all;

delete from linkedin_post_snapshots
using touched_days as touched
where linkedin_post_snapshots.workspace = touched.workspace
  and among_own(linkedin_post_snapshots.linkedin_post_id) = touched.linkedin_post_id
  and (linkedin_post_snapshots.captured_on = touched.captured_on or $all_days);

insert into linkedin_post_snapshots by name
with last_readings as (
  select
    readings.workspace,
    readings.linkedin_post_id,
    touched.captured_on,
    max_by(readings.rowid, readings.reading_id) as last_row
  from readings
  join touched_days as touched
    on touched.workspace = readings.workspace
    and touched.linkedin_post_id = among_own(readings.linkedin_post_id)
    and touched.captured_on = timezone($timezone, readings.fetched_at)::date
  group by readings.workspace, readings.linkedin_post_id, touched.captured_on
)
select
  last_readings.* exclude (last_row),
  readings.reading_id,
  readings.fetched_at as captured_at,
  columns('^(.*_count|engagement|emv|video_watch_time_seconds)$')
from last_readings
join readings on readings.rowid = last_readings.last_row;
